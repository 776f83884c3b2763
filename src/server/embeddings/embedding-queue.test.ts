import { describe, expect, it } from 'vitest';
import { type EmbeddingJob, EmbeddingQueue } from './embedding-queue.ts';

const jobOf = (
  tenant: string,
  count: number,
  characters = 10,
  caller = 'c',
  workspace?: string,
): EmbeddingJob => ({
  task: {
    texts: Array.from({ length: count }, () => ({ title: '', text: 'x'.repeat(characters) })),
    dimension: 1,
    for: { tenant, caller, ...(workspace !== undefined && { workspace }) },
  },
  next: 0,
});

/** Whose slices are next, and how many texts each has. */
function turnsOf(queue: EmbeddingQueue<EmbeddingJob>, turns = Number.POSITIVE_INFINITY): string[] {
  const order: string[] = [];
  for (let i = 0; i < turns; i += 1) {
    const slice = queue.takeSlice();
    if (!slice) break;
    order.push(`${slice.job.task.for.tenant} ${slice.texts.length}`);
  }
  return order;
}

describe('documents that wait for their vectors', () => {
  it('are cut into slices of so many texts and so many characters, a large text alone', () => {
    const queue = new EmbeddingQueue();
    queue.add(jobOf('small', 70));
    expect(turnsOf(queue)).toEqual(['small 32', 'small 32', 'small 6']);
    queue.add(jobOf('large', 3, 65_536));
    expect(turnsOf(queue)).toEqual(['large 1', 'large 1', 'large 1']);
    queue.add(jobOf('middle', 5, 14_000));
    expect(turnsOf(queue)).toEqual(['middle 2', 'middle 2', 'middle 1']);
  });

  it('are embedded in order, each once', () => {
    const queue = new EmbeddingQueue();
    const job = jobOf('t', 75);
    queue.add(job);
    const starts: number[] = [];
    for (let slice = queue.takeSlice(); slice; slice = queue.takeSlice()) {
      expect(slice.texts).toEqual(job.task.texts.slice(slice.start, slice.start + slice.texts.length));
      starts.push(slice.start);
    }
    expect(starts).toEqual([0, 32, 64]);
  });

  it("wait for one slice of another tenant's, however many of huge texts that one has", () => {
    const queue = new EmbeddingQueue();
    for (let i = 0; i < 20; i += 1) queue.add(jobOf('importer', 128, 65_536));
    turnsOf(queue, 5);
    queue.add(jobOf('writer', 1));
    expect(turnsOf(queue, 2)).toEqual(['writer 1', 'importer 1']);
  });

  it("of one tenant's importer leave its other callers their turns", () => {
    const queue = new EmbeddingQueue();
    for (let i = 0; i < 5; i += 1) queue.add(jobOf('t', 128, 10, 'importer'));
    turnsOf(queue, 2);
    queue.add(jobOf('t', 1, 10, 'writer'));
    expect(turnsOf(queue, 1)).toEqual(['t 1']);
  });

  it('of each account get as much of the thread, whatever the size of their texts and the number of its workspaces', () => {
    const queue = new EmbeddingQueue();
    const charactersOf = new Map([
      ['many', 0],
      ['one', 0],
    ]);
    const refill = () => {
      for (let i = 0; i < 20; i += 1) {
        queue.add(jobOf('many', 64, 14_000, 'c', `workspace ${i}`));
        queue.add(jobOf('one', 64, 100, 'c', 'workspace'));
      }
    };
    let largest = 0;
    for (let turn = 0; turn < 400; turn += 1) {
      if (turn % 50 === 0) refill();
      const slice = queue.takeSlice();
      if (!slice) throw new Error('nobody waits');
      const characters = slice.texts.reduce((sum, { text }) => sum + text.length + 256, 0);
      const { tenant } = slice.job.task.for;
      charactersOf.set(tenant, (charactersOf.get(tenant) ?? 0) + characters);
      largest = Math.max(largest, characters);
    }
    const [many = 0, one = 0] = charactersOf.values();
    expect(Math.abs(many - one)).toBeLessThanOrEqual(2 * largest);
    expect(one).toBeGreaterThan(100 * 32);
  });

  it('are so many at most, of each tenant and in all', () => {
    const queue = new EmbeddingQueue();
    const added = (tenant: string) => Array.from({ length: 300 }, () => queue.add(jobOf(tenant, 1)));
    const counts = ['a', 'b', 'c', 'd', 'e'].map((tenant) => added(tenant).filter(Boolean).length);
    expect(counts).toEqual([256, 256, 256, 256, 0]);
    // Whoever leaves makes room.
    expect(turnsOf(queue, 1)).toEqual(['a 1']);
    expect(queue.add(jobOf('e', 1))).toBe(true);
    const given = jobOf('a', 1);
    expect(queue.add(given)).toBe(false);
    expect(turnsOf(queue)).toHaveLength(1_024);
    expect(queue.add(given)).toBe(true);
    queue.remove(given);
    expect(queue.takeSlice()).toBeNull();
  });
});
