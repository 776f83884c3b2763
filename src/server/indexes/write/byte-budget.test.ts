import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteBudget, type Grant } from './byte-budget.ts';

const requester = (tenant: string, caller = 'c') => ({ tenant, caller });
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Who got a grant, in that order, and their grants. */
function watched(budget: ByteBudget) {
  const order: string[] = [];
  const grants: Grant[] = [];
  const ask = (tenant: string, bytes: number, signal?: AbortSignal) =>
    budget.take(requester(tenant), bytes, signal).then((grant) => {
      order.push(tenant);
      grants.push(grant);
    });
  return { order, grants, ask };
}

describe('the budget of imports', () => {
  it('is never exceeded, and everybody gets a turn', async () => {
    const asked = fc.array(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 100 }), fc.nat(5)), {
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(asked, async (uploads) => {
        const budget = new ByteBudget(100);
        let most = 0;
        const run = async ([tenant, bytes, turns]: [number, number, number]) => {
          const grant = await budget.take(requester(String(tenant)), bytes);
          most = Math.max(most, budget.heldBytes);
          for (let i = 0; i < turns; i += 1) await Promise.resolve();
          grant.shrinkTo(bytes >> 1);
          await Promise.resolve();
          grant.release();
          grant.release();
        };
        await Promise.all(uploads.map(run));
        expect(most).toBeLessThanOrEqual(100);
        expect(budget.heldBytes).toBe(0);
      }),
    );
  });

  it('gives tenants turns, however many uploads one of them has', async () => {
    const budget = new ByteBudget(10);
    const { order, grants, ask } = watched(budget);
    await ask('greedy', 10);
    const rest = [
      ...Array.from({ length: 20 }, () => ask('greedy', 10)),
      ask('modest', 10),
      ask('modest', 10),
    ];
    for (let i = 0; i < 22; i += 1) {
      grants[i]?.release();
      await turn();
    }
    await Promise.all(rest);
    expect(order.slice(0, 6).filter((tenant) => tenant === 'modest')).toHaveLength(2);
  });

  it('leaves others as much as one holds, however much it wants and however long it holds that', async () => {
    const budget = new ByteBudget(40);
    const { order, grants, ask } = watched(budget);
    const all = Array.from({ length: 30 }, () => ask('greedy', 2));
    await turn();
    expect(budget.heldBytes).toBe(20);
    await Promise.all([ask('modest', 2), ask('another', 2)]);
    expect(order.slice(10)).toEqual(['modest', 'another']);
    for (const held of [22, 22]) {
      grants.shift()?.release();
      await turn();
      expect(budget.heldBytes).toBe(held);
    }
    while (grants.length > 0) {
      grants.shift()?.release();
      await turn();
    }
    await Promise.all(all);
    expect(budget.heldBytes).toBe(0);
  });

  it('lets one wait for much without being overtaken for ever by those that want little', async () => {
    const budget = new ByteBudget(10);
    const { order, grants, ask } = watched(budget);
    await ask('a', 6);
    const all = [ask('b', 10), ask('c', 1), ask('c', 1)];
    await turn();
    expect(order).toEqual(['a']);
    grants[0]?.release();
    await turn();
    expect(order).toEqual(['a', 'b']);
    grants[1]?.release();
    await Promise.all(all);
  });

  it('is not held by those who have gone', async () => {
    const budget = new ByteBudget(10);
    const { order, grants, ask } = watched(budget);
    await ask('a', 5);
    const gone = new AbortController();
    const large = ask('b', 10, gone.signal);
    const small = ask('c', 5);
    await turn();
    gone.abort(new Error('gone'));
    await expect(large).rejects.toThrow('gone');
    await small;
    expect(order).toEqual(['a', 'c']);
    await expect(budget.take(requester('d'), 1, gone.signal)).rejects.toThrow('gone');
    for (const grant of grants) grant.release();
    expect(budget.heldBytes).toBe(0);
  });

  it('gives at once what is free for whoever does not wait, and nothing before those who do', async () => {
    const budget = new ByteBudget(10);
    const grant = budget.takeIfFree(requester('a'), 20);
    expect(budget.heldBytes).toBe(10);
    expect(budget.takeIfFree(requester('b'), 1)).toBeNull();
    grant?.shrinkTo(2);
    const waiting = budget.take(requester('b'), 10);
    expect(budget.takeIfFree(requester('c'), 1)).toBeNull();
    grant?.release();
    (await waiting).release();
    budget.takeIfFree(requester('c'), 10)?.release();
    expect(budget.heldBytes).toBe(0);
  });

  it('tells the silent when somebody waits, and only while they are', async () => {
    const budget = new ByteBudget(10);
    const grant = await budget.take(requester('a'), 10);
    let told = 0;
    const stop = budget.onWanted(() => {
      told += 1;
    });
    await turn();
    expect(told).toBe(0);
    const waiting = budget.take(requester('b'), 5);
    await turn();
    expect(told).toBe(1);
    stop();
    grant.release();
    (await waiting).release();
    await turn();
    expect(told).toBe(1);
  });
});
