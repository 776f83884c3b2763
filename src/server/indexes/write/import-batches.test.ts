import { describe, expect, it } from 'vitest';
import { ByteBudget } from './byte-budget.ts';
import { type ImportBatch, importBatches } from './import-batches.ts';

const collection = {
  id: 1,
  for: { tenant: 't', caller: 'c' },
  dimension: 1_024,
  metric: 'cosine' as const,
  metadata: null,
  rulesVersion: 0,
};
const rowBytes = 4 * 1_024 + 2 * '{"id":"0"}'.length;

/** An upload whose sender sends when it is told to. */
function upload() {
  const ready: { index: number; text: string }[] = [];
  let isEnded = false;
  let isClosed = false;
  let sent = 0;
  /** How many rows the reader has asked for. */
  let asked = 0;
  let wake: () => void = () => undefined;
  async function* rows() {
    try {
      for (;;) {
        asked += 1;
        while (ready.length === 0 && !isEnded) await new Promise<void>((resolve) => (wake = resolve));
        const row = ready.shift();
        if (!row) return;
        yield row;
      }
    } finally {
      isClosed = true;
    }
  }
  return {
    rows: rows(),
    /** Resolves once the reader has the row and asks for another. */
    send: async () => {
      ready.push({ index: sent, text: `{"id":"${sent}"}` });
      sent += 1;
      wake();
      while (asked <= sent) await new Promise((resolve) => setImmediate(resolve));
    },
    end: () => {
      isEnded = true;
      wake();
    },
    isClosed: () => isClosed,
  };
}

/** Batches as they come. */
function read(budget: ByteBudget, rows: AsyncIterable<{ index: number; text: string }>) {
  const got: ImportBatch[] = [];
  const batches = importBatches({ collection, budget }, rows, undefined);
  const done = (async () => {
    for await (const batch of batches) got.push(batch);
  })();
  return { got, done };
}

describe('the batches of an upload', () => {
  it('hold nothing of the budget while no row has come, and what they have once they are whole', async () => {
    const budget = new ByteBudget(10_000_000);
    const one = upload();
    const { got, done } = read(budget, one.rows);
    await new Promise((resolve) => setImmediate(resolve));
    expect(budget.heldBytes).toBe(0);
    await one.send();
    expect(budget.heldBytes).toBe(2 * 1024 * 1024);
    await one.send();
    one.end();
    await done;
    expect(got.map(({ rows }) => rows.length)).toEqual([2]);
    expect(budget.heldBytes).toBe(2 * rowBytes);
    got[0]?.grant.release();
    expect(budget.heldBytes).toBe(0);
    expect(one.isClosed()).toBe(true);
  });

  it('are given up by a silent sender when another waits', async () => {
    const budget = new ByteBudget(2 * 1024 * 1024);
    const silent = upload();
    const first = read(budget, silent.rows);
    await silent.send();
    await silent.send();
    expect(first.got).toEqual([]);
    const other = upload();
    const second = read(budget, other.rows);
    const isTaken = other.send();
    await expect.poll(() => first.got.map(({ rows }) => rows.length)).toEqual([2]);
    // Its rows are on their way; with them written the other goes on.
    expect(second.got).toEqual([]);
    first.got[0]?.grant.release();
    await isTaken;
    await other.send();
    other.end();
    await second.done;
    expect(second.got.map(({ rows }) => rows.length)).toEqual([2]);
    second.got[0]?.grant.release();
    await silent.send();
    silent.end();
    await first.done;
    expect(first.got.map(({ rows }) => rows.length)).toEqual([2, 1]);
  });

  it('count what rows of a table become, which all have the names of its columns', async () => {
    const columns = Array.from({ length: 10 }, (_, i) => ({
      name: String(i).padEnd(1_000, 'x'),
      type: 'string' as const,
    }));
    async function* rows() {
      for (let index = 0; index < 200; index += 1)
        yield { index, columns, cells: columns.map((_, place) => (place < 9 ? 'y' : '')) };
    }
    const budget = new ByteBudget(10_000_000);
    const batches: number[] = [];
    for await (const { rows: batch, grant } of importBatches({ collection, budget }, rows(), undefined)) {
      const texts = batch.map((row) => ('parsed' in row ? JSON.stringify(row.parsed.document) : ''));
      // In UTF-16, with their vectors.
      const bytes = texts.join('').length * 2 + batch.length * 4 * collection.dimension;
      expect(bytes).toBeLessThan(1.02 * 2 * 1024 * 1024);
      batches.push(batch.length);
      grant.release();
    }
    expect(batches.length).toBe(3);
  });

  it('count a vector for each passage that a long text may have', async () => {
    const long = { text: `{"id":"0","text":"${'word '.repeat(10_000)}"}` };
    async function* rows() {
      for (let index = 0; index < 8; index += 1) yield { index, ...long };
    }
    const budget = new ByteBudget(10_000_000);
    const sizes: number[] = [];
    for await (const { rows: batch, bytes, grant } of importBatches(
      { collection, budget },
      rows(),
      undefined,
    )) {
      // Some thirty passages at the least.
      expect(bytes).toBeGreaterThan(batch.length * 30 * 4 * collection.dimension);
      sizes.push(batch.length);
      grant.release();
    }
    expect(sizes.length).toBeGreaterThan(1);
  });

  it('leave nothing held when their reader goes, or their sender fails', async () => {
    const budget = new ByteBudget(2 * 1024 * 1024);
    async function* failing() {
      yield { index: 0, text: '{"id":"0"}' };
      throw new Error('cut off');
    }
    await expect(read(budget, failing()).done).rejects.toThrow('cut off');
    expect(budget.heldBytes).toBe(0);
    async function* endless() {
      for (let index = 0; ; index += 1) yield { index, text: `{"id":"${index}"}` };
    }
    for await (const { grant } of importBatches({ collection, budget }, endless(), undefined)) {
      grant.release();
      break;
    }
    expect(budget.heldBytes).toBe(0);
  });
});
