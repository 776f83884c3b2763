import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IndexMemory } from './index-memory.ts';
import { IndexTooLargeError, NoMemoryLeftError } from './memory-errors.ts';
import type { MemoryHold } from './memory-hold.ts';
import { restMs, type Standing } from './who-leaves.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Indexes that open, stay idle or busy, and take some turns to leave. */
function worldOf(bytesMax: number, leaveTurns = 1) {
  let time = 0;
  let ids = 0;
  const open = new Map<number, { hold: MemoryHold; standing: Standing }>();
  const evicted: { id: number; isDrained: boolean }[] = [];
  const memory: IndexMemory = new IndexMemory({
    bytesMax,
    now: () => time,
    standingOf: (id) => open.get(id)?.standing ?? 'fixed',
    async evict(id, isDrained) {
      evicted.push({ id, isDrained });
      for (let i = 0; i < leaveTurns; i += 1) await turn();
      open.get(id)?.hold.release();
      open.delete(id);
    },
  });
  const wait = (signal?: AbortSignal) => ({ until: time + 60_000, signal });
  return {
    memory,
    evicted,
    open,
    wait,
    sleep: (ms: number) => {
      time += ms;
    },
    async openIndex(tenant: string, bytes: number, { standing = 'idle' as Standing, until = 60_000 } = {}) {
      const id = ++ids;
      time += 1;
      const hold = memory.hold({ id, for: { tenant, caller: 'c' } });
      try {
        await hold.raiseTo({ about: bytes, atLeast: bytes }, { until: time + until });
      } catch (error) {
        hold.release();
        throw error;
      }
      open.set(id, { hold, standing });
      hold.touch();
      return { id, hold };
    },
  };
}

describe('the memory of indexes', () => {
  it('is never exceeded by what is opened, and everybody who asks for no more than a share is served', async () => {
    const tenants = ['a', 'b', 'c', 'd'];
    const asked = fc.array(
      fc.tuple(
        fc.constantFrom(...tenants),
        fc.integer({ min: 1, max: 25 }),
        fc.constantFrom<Standing>('idle', 'busy'),
        fc.nat(3),
      ),
      { minLength: 1, maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(asked, fc.nat(3), async (openings, leaveTurns) => {
        const { memory, openIndex } = worldOf(100, leaveTurns);
        let most = 0;
        let open = openings.length;
        const all = openings.map(async ([tenant, bytes, standing, turns]) => {
          for (let i = 0; i < turns; i += 1) await turn();
          try {
            await openIndex(tenant, bytes, { standing });
            most = Math.max(most, memory.heldBytes);
          } finally {
            open -= 1;
          }
        });
        while (open > 0) {
          memory.serve();
          most = Math.max(most, memory.heldBytes);
          await turn();
        }
        await Promise.all(all);
        expect(most).toBeLessThanOrEqual(100);
      }),
      { numRuns: 200 },
    );
  });

  it('is given back whole, whatever was given up on the way', async () => {
    const asked = fc.array(
      fc.tuple(fc.constantFrom('a', 'b'), fc.integer({ min: 1, max: 100 }), fc.boolean()),
      {
        maxLength: 20,
      },
    );
    await fc.assert(
      fc.asyncProperty(asked, async (openings) => {
        const { memory, openIndex, open } = worldOf(100);
        const all = openings.map(async ([tenant, bytes, isPatient], i) => {
          for (let j = 0; j < i % 4; j += 1) await turn();
          await openIndex(tenant, bytes, { until: isPatient ? 5 : 0 }).catch((error: unknown) => {
            expect(error).toBeInstanceOf(NoMemoryLeftError);
          });
        });
        await Promise.all(all);
        for (let i = 0; i < 10; i += 1) await turn();
        for (const { hold } of open.values()) hold.release();
        expect(memory.heldBytes).toBe(0);
        expect(memory.isShort).toBe(false);
      }),
      { numRuns: 50 },
    );
  });

  it('refuses at once what never fits, and names both sizes', async () => {
    const { memory, openIndex } = worldOf(100);
    const refused = openIndex('a', 101);
    await expect(refused).rejects.toBeInstanceOf(IndexTooLargeError);
    await expect(refused).rejects.toMatchObject({ bytes: 101, bytesMax: 100 });
    expect(memory.heldBytes).toBe(0);
  });

  it('lets one be tried that may just fit', async () => {
    const { memory, wait } = worldOf(100);
    const hold = memory.hold({ id: 1, for: { tenant: 'a', caller: 'c' } });
    await hold.raiseTo({ about: 300, atLeast: 90 }, wait());
    expect(memory.heldBytes).toBe(90);
    hold.set(95);
    expect(memory.heldBytes).toBe(95);
    await hold.raiseTo({ about: 100, atLeast: 100 }, wait());
    expect(memory.heldBytes).toBe(100);
  });

  it('is never all reserved by what an opening may come to', async () => {
    const { memory, openIndex, wait } = worldOf(100);
    const hold = memory.hold({ id: 9, for: { tenant: 'a', caller: 'c' } });
    await hold.raiseTo({ about: 300, atLeast: 10 }, wait());
    expect(memory.heldBytes).toBe(80);
    await openIndex('b', 20);
    expect(memory.heldBytes).toBe(100);
  });

  it('is not emptied for one that finds no room all the same', async () => {
    const { memory, openIndex, sleep, evicted } = worldOf(1_000);
    const used = await openIndex('large', 600, { standing: 'busy' });
    for (let i = 0; i < 100; i += 1) await openIndex('many', 4);
    sleep(restMs);
    used.hold.touch();
    await expect(openIndex('a', 900, { until: 5 })).rejects.toBeInstanceOf(NoMemoryLeftError);
    expect(evicted).toEqual([]);
    expect(memory.heldBytes).toBe(1_000);
  });

  it('passes over one for which nobody makes room, and lets it in once the others have rested', async () => {
    const { memory, openIndex, sleep, evicted } = worldOf(100);
    await openIndex('steady', 60);
    let isOpen = false;
    const large = openIndex('large', 90).then(() => {
      isOpen = true;
    });
    await openIndex('small', 10);
    await openIndex('small', 10);
    memory.serve();
    expect(isOpen).toBe(false);
    expect(evicted).toEqual([]);
    sleep(restMs);
    memory.serve();
    await large;
    expect(evicted.every(({ isDrained }) => !isDrained)).toBe(true);
  });

  it('keeps what becomes free for whom it was made free', async () => {
    const { openIndex } = worldOf(100, 3);
    for (let i = 0; i < 10; i += 1) await openIndex('large', 10);
    const order: string[] = [];
    const asked = [
      openIndex('first', 30).then(() => order.push('first')),
      ...Array.from({ length: 5 }, () => openIndex('other', 5).then(() => order.push('other'))),
    ];
    await Promise.all(asked);
    expect(order[0]).toBe('first');
  });

  it('asks one that is in use to leave for an account that has less', async () => {
    const { openIndex, evicted } = worldOf(100);
    const { id } = await openIndex('large', 90, { standing: 'busy' });
    await openIndex('small', 40);
    expect(evicted).toEqual([{ id, isDrained: true }]);
  });

  it('makes room for one that has grown, and has the next change to it wait until there is', async () => {
    const { memory, openIndex, evicted, wait } = worldOf(100);
    const { hold } = await openIndex('a', 40, { standing: 'busy' });
    const { id } = await openIndex('b', 60);
    hold.set(70);
    expect(memory.heldBytes).toBe(130);
    // It is the larger one, and the other was used just now.
    expect(evicted).toEqual([]);
    const growing = hold.raiseTo({ about: 70, atLeast: 70 }, { ...wait(), until: 0 });
    await expect(growing).rejects.toBeInstanceOf(NoMemoryLeftError);
    hold.set(50);
    expect(evicted).toEqual([{ id, isDrained: false }]);
  });

  it('is waited for by the changes of an account that has too much, not by those of another', async () => {
    const { memory, openIndex, open, evicted, wait } = worldOf(100);
    const large = await openIndex('large', 70, { standing: 'fixed' });
    const small = await openIndex('small', 20, { standing: 'busy' });
    await openIndex('small', 10, { standing: 'busy' });
    large.hold.set(120);
    expect(memory.heldBytes).toBe(150);
    const now = { ...wait(), until: 0 };
    await expect(large.hold.raiseTo({ about: 90, atLeast: 90 }, now)).rejects.toBeInstanceOf(
      NoMemoryLeftError,
    );
    await small.hold.raiseTo({ about: 20, atLeast: 20 }, now);
    // Its own other one need not leave, and the large one cannot yet.
    expect(evicted).toEqual([]);
    open.set(large.id, { hold: large.hold, standing: 'busy' });
    await small.hold.raiseTo({ about: 20, atLeast: 20 }, now);
    expect(evicted).toEqual([{ id: large.id, isDrained: true }]);
  });

  it('is not waited for by somebody who has gone', async () => {
    const { memory, openIndex } = worldOf(100);
    await openIndex('a', 100, { standing: 'fixed' });
    const gone = new AbortController();
    const hold = memory.hold({ id: 9, for: { tenant: 'b', caller: 'c' } });
    const waiting = hold.raiseTo({ about: 10, atLeast: 10 }, { until: 60_000, signal: gone.signal });
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    expect(memory.isShort).toBe(false);
  });

  it('is left by one of two openings that wait for each other, and the other one goes on with it', async () => {
    const { memory, wait } = worldOf(100);
    const halfway = async (id: number, tenant: string, bytes: number) => {
      const hold = memory.hold({ id, for: { tenant, caller: 'c' } });
      await hold.raiseTo({ about: bytes, atLeast: bytes }, wait());
      return hold;
    };
    const small = await halfway(1, 'small', 40);
    const large = await halfway(2, 'large', 50);
    const raise = (hold: MemoryHold, bytes: number, ms: number) =>
      hold.raiseTo({ about: bytes, atLeast: bytes }, { until: wait().until - 60_000 + ms });
    // Both are late at the same time, the one with less first.
    const goesOn = raise(small, 60, 50);
    const givesUp = raise(large, 70, 50);
    await expect(givesUp).rejects.toBeInstanceOf(NoMemoryLeftError);
    large.release();
    await goesOn;
    expect(memory.heldBytes).toBe(60);
    small.release();
    expect([memory.heldBytes, memory.isShort]).toEqual([0, false]);
  });
});
