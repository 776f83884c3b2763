import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';
import { FairShares } from './fair-shares.ts';

interface Call {
  tenant: string;
  workspace?: string;
  lane?: string;
  weight?: number;
  cost: number;
}

const queueOf = (debtMax = 1_000) =>
  new FairQueue<Call>(
    ({ tenant, workspace = '', lane = 'reads', weight = 1 }) => ({ path: [tenant, workspace, lane], weight }),
    debtMax,
  );

/** Serves one call after the other; answers who was served, in order. */
function serve(queue: FairQueue<Call>, turns: number): Call[] {
  const served: Call[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const call = queue.takeNext();
    if (!call) break;
    queue.charge(call, call.cost);
    served.push(call);
  }
  return served;
}

function fill(queue: FairQueue<Call>, count: number, call: Call): void {
  for (let i = 0; i < count; i += 1) queue.add({ ...call });
}

const used = (calls: Call[], isOf: (call: Call) => boolean) =>
  calls.filter(isOf).reduce((sum, { cost }) => sum + cost, 0);

describe('a queue of several tenants', () => {
  it('serves a newcomer next, whatever others have queued', () => {
    const queue = queueOf();
    fill(queue, 5_000, { tenant: 'A', cost: 1 });
    serve(queue, 100);
    queue.add({ tenant: 'B', cost: 1 });
    expect(serve(queue, 1)).toMatchObject([{ tenant: 'B' }]);
  });

  it('says who comes before one that is at work: whoever has used no more, not what waits in its lane', () => {
    const queue = queueOf();
    fill(queue, 3, { tenant: 'A', cost: 5 });
    const [atWork] = serve(queue, 1);
    if (!atWork) throw new Error('nothing was served');
    const newcomer = { tenant: 'B', cost: 5 };
    queue.add(newcomer);
    expect(queue.comesBefore(newcomer, atWork)).toBe(true);
    expect(queue.comesBefore({ tenant: 'A', cost: 5 }, atWork)).toBe(false);
    // It has used more than the one at work.
    queue.charge(newcomer, 20);
    expect(queue.comesBefore(newcomer, atWork)).toBe(false);
    const other = { tenant: 'A', lane: 'other', cost: 1 };
    queue.add(other);
    expect(queue.comesBefore(other, atWork)).toBe(true);
    // Nobody of a tenant that has left waits: it is level with the others.
    queue.takeAll();
    queue.add({ tenant: 'C', cost: 1 });
    expect(queue.comesBefore({ tenant: 'C', cost: 1 }, { tenant: 'D', cost: 1 })).toBe(true);
  });

  it('passes over who cannot have a turn now, and leaves them where they are', () => {
    const queue = queueOf();
    const early = { tenant: 'A', cost: 1 };
    const late = { tenant: 'A', cost: 2 };
    for (const call of [early, late, { tenant: 'B', cost: 3 }]) queue.add(call);
    expect(queue.takeNextThat(({ cost }) => cost === 4)).toBeNull();
    expect(queue.takeNextThat(({ cost }) => cost === 2)).toBe(late);
    expect(queue.size).toBe(2);
    expect(serve(queue, 3).map(({ cost }) => cost)).toEqual([3, 1]);
  });

  it('gives tenants the same time, not the same number of calls', () => {
    const queue = queueOf();
    fill(queue, 500, { tenant: 'dear', cost: 50 });
    fill(queue, 5_000, { tenant: 'cheap', cost: 2 });
    const served = serve(queue, 2_000);
    const dear = used(served, ({ tenant }) => tenant === 'dear');
    const cheap = used(served, ({ tenant }) => tenant === 'cheap');
    expect(Math.abs(dear - cheap)).toBeLessThanOrEqual(50);
  });

  it('keeps any two that wait within one call of each other', () => {
    const tenants = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(tenants, (costs) => {
        const queue = queueOf();
        for (const [i, cost] of costs.entries()) fill(queue, 400, { tenant: String(i), cost });
        const served = serve(queue, 300);
        const times = costs.map((_, i) => used(served, ({ tenant }) => tenant === String(i)));
        expect(Math.max(...times) - Math.min(...times)).toBeLessThanOrEqual(Math.max(...costs));
      }),
    );
  });

  it('counts what is done in bulk by its weight', () => {
    const queue = queueOf();
    fill(queue, 4_000, { tenant: 'A', lane: 'changes', weight: 1 / 4, cost: 1 });
    fill(queue, 4_000, { tenant: 'B', cost: 1 });
    const served = serve(queue, 1_000);
    expect(used(served, ({ tenant }) => tenant === 'A')).toBe(200);
  });

  it('saves up nothing for who was away', () => {
    const queue = queueOf();
    fill(queue, 10, { tenant: 'B', cost: 1 });
    fill(queue, 2_000, { tenant: 'A', cost: 1 });
    serve(queue, 1_000);
    fill(queue, 1_000, { tenant: 'B', cost: 1 });
    const served = serve(queue, 400);
    expect(used(served, ({ tenant }) => tenant === 'A')).toBe(200);
  });

  it('counts at most so much against who used more than the others', () => {
    const queue = queueOf(100);
    queue.add({ tenant: 'A', cost: 5_000 });
    fill(queue, 1_000, { tenant: 'A', cost: 1 });
    fill(queue, 1_000, { tenant: 'B', cost: 1 });
    const served = serve(queue, 400).slice(1);
    expect(served.findIndex(({ tenant }) => tenant === 'A')).toBe(100);
  });

  it('forgets what was used once nobody waits', () => {
    const queue = queueOf();
    fill(queue, 10, { tenant: 'A', cost: 1_000 });
    serve(queue, 10);
    fill(queue, 2, { tenant: 'A', cost: 1 });
    fill(queue, 2, { tenant: 'B', cost: 1 });
    expect(serve(queue, 4).map(({ tenant }) => tenant)).toEqual(['A', 'B', 'A', 'B']);
  });
});

describe('a queue of one tenant', () => {
  it('is as long as that of any other, however many workspaces it has', () => {
    const queue = queueOf();
    for (let i = 0; i < 20; i += 1) fill(queue, 100, { tenant: 'A', workspace: `${i}`, cost: 1 });
    fill(queue, 1_000, { tenant: 'B', workspace: 'only', cost: 1 });
    const served = serve(queue, 400);
    expect(used(served, ({ tenant }) => tenant === 'B')).toBe(200);
    const shares = Array.from({ length: 20 }, (_, i) =>
      used(served, ({ workspace }) => workspace === `${i}`),
    );
    expect(shares).toEqual(shares.map(() => 10));
  });

  it('shares between those who call', () => {
    const queue = queueOf();
    fill(queue, 1_000, { tenant: 'A', lane: 'key 1', cost: 5 });
    serve(queue, 10);
    fill(queue, 1_000, { tenant: 'A', lane: 'key 2', cost: 1 });
    const served = serve(queue, 120);
    const first = used(served, ({ lane }) => lane === 'key 1');
    expect(Math.abs(first - used(served, ({ lane }) => lane === 'key 2'))).toBeLessThanOrEqual(5);
  });

  it('keeps the order within a lane', () => {
    const queue = queueOf();
    for (let cost = 1; cost <= 20; cost += 1) queue.add({ tenant: 'A', cost });
    expect(serve(queue, 20).map(({ cost }) => cost)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  });
});

it('gives away each item once, or lets it leave', () => {
  const actions = fc.array(
    fc.record({
      tenant: fc.constantFrom('A', 'B', 'C'),
      workspace: fc.constantFrom('v', 'w'),
      lane: fc.constantFrom('x', 'y'),
      leaves: fc.boolean(),
    }),
  );
  fc.assert(
    fc.property(actions, fc.nat({ max: 10 }), (given, taken) => {
      const queue = queueOf();
      const calls = given.map(({ tenant, workspace, lane }) => ({ tenant, workspace, lane, cost: 1 }));
      for (const call of calls) queue.add(call);
      const served = serve(queue, taken);
      const left = calls.filter((call, i) => given[i]?.leaves && queue.remove(call));
      for (const call of [...served, ...left]) expect(queue.remove(call)).toBe(false);
      expect(queue.size).toBe(calls.length - served.length - left.length);
      const all = [...served, ...left, ...queue.takeAll()];
      expect(new Set(all)).toEqual(new Set(calls));
      expect(all).toHaveLength(calls.length);
      expect(queue.takeNext()).toBeNull();
    }),
  );
});

it('remembers nobody who has left once others have used as much, or nobody waits', () => {
  const shares = new FairShares<string>(1_000);
  for (let i = 0; i < 100; i += 1) shares.enter(`passing ${i}`);
  shares.enter('staying');
  for (let i = 0; i < 100; i += 1) {
    shares.charge(`passing ${i}`, 5);
    shares.leave(`passing ${i}`);
  }
  expect(shares.size).toBe(101);
  for (let i = 0; i < 10; i += 1) {
    expect(shares.next()).toBe('staying');
    shares.charge('staying', 1);
  }
  expect(shares.size).toBe(1);
  shares.charge('staying', 100);
  shares.leave('staying');
  shares.enter('another');
  expect(shares.size).toBe(1);
});
