import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AccountHoldings, type Holding, restMs, type Standing, whoLeaves } from './who-leaves.ts';

const now = 100_000;
const longAgo = now - restMs;

interface Given {
  tenant: string;
  bytes: number;
  standing?: Standing;
  lastUsed?: number;
}

/** Indexes in the order of their last use. */
function holdingsOf(given: Given[]) {
  const accounts = new Map<string, AccountHoldings>();
  const standings = new Map<number, Standing>();
  const all = given.map(({ tenant, bytes, standing = 'idle', lastUsed = now - 1 }, i): Holding => {
    const account = accounts.get(tenant) ?? {
      bytes: 0,
      leavingBytes: 0,
      promisedBytes: 0,
      holdings: new Set(),
    };
    accounts.set(tenant, account);
    const holding = { collectionId: i, tenant, bytes, lastUsed, isLeaving: false };
    account.bytes += bytes;
    account.holdings.add(holding);
    standings.set(i, standing);
    return holding;
  });
  return { accounts, all, standingOf: (id: number): Standing => standings.get(id) ?? 'fixed' };
}

/** Who leaves when a tenant opens one more index: their numbers, and whether that is enough. */
function leaving(
  given: Given[],
  opens: { tenant: string; bytes: number; missing?: number; mayDrain?: boolean; leaversMax?: number },
) {
  const { accounts, all, standingOf } = holdingsOf([
    ...given,
    { tenant: opens.tenant, bytes: 0, standing: 'fixed' },
  ]);
  const holding = all.at(-1) ?? expect.fail();
  const { bytes, missing = bytes, mayDrain = true, leaversMax = 64 } = opens;
  const { leavers, isEnough } = whoLeaves(
    accounts,
    { holding, moreBytes: bytes, missingBytes: missing, mayDrain },
    { now, standingOf, leaversMax },
  );
  const idsOf = (isDrained: boolean) =>
    leavers.filter((each) => each.isDrained === isDrained).map((each) => each.holding.collectionId);
  const order = leavers.map((each) => ({ id: each.holding.collectionId, isDrained: each.isDrained }));
  return { idle: idsOf(false), drained: idsOf(true), order, isEnough };
}

describe('who leaves for another index', () => {
  it('are those of the account that has most, the ones used longest ago first', () => {
    const given = [
      { tenant: 'small', bytes: 10 },
      { tenant: 'large', bytes: 30 },
      { tenant: 'large', bytes: 30 },
    ];
    expect(leaving(given, { tenant: 'new', bytes: 10 })).toMatchObject({
      idle: [1],
      drained: [],
      isEnough: true,
    });
  });

  it('are its own where the account would have most: what it opens costs nobody else', () => {
    const given = [
      { tenant: 'other', bytes: 20 },
      { tenant: 'greedy', bytes: 10 },
      { tenant: 'greedy', bytes: 10 },
    ];
    expect(leaving(given, { tenant: 'greedy', bytes: 10 })).toMatchObject({ idle: [1], isEnough: true });
  });

  it('are none of an account that would have less, as long as it uses them', () => {
    const given = (lastUsed: number) => [{ tenant: 'other', bytes: 20, lastUsed }];
    expect(leaving(given(now - 1), { tenant: 'greedy', bytes: 30 })).toMatchObject({
      idle: [],
      isEnough: false,
    });
    expect(leaving(given(longAgo), { tenant: 'greedy', bytes: 30, missing: 10 })).toMatchObject({
      idle: [0],
      isEnough: true,
    });
  });

  it('are in use only where nothing else is left, and then those of who has more', () => {
    const given: Given[] = [
      { tenant: 'large', bytes: 30, standing: 'busy' },
      { tenant: 'large', bytes: 5 },
    ];
    expect(leaving(given, { tenant: 'new', bytes: 10 })).toMatchObject({
      idle: [1],
      drained: [0],
      isEnough: true,
    });
    expect(leaving(given, { tenant: 'new', bytes: 10, mayDrain: false })).toMatchObject({
      idle: [1],
      drained: [],
      isEnough: false,
    });
    expect(leaving(given, { tenant: 'new', bytes: 36 }).drained).toEqual([]);
  });

  it('are never being opened, never the one that asks, and always those that the rules allow', () => {
    const tenant = fc.constantFrom('a', 'b', 'c');
    const one = fc.record({
      tenant,
      bytes: fc.integer({ min: 1, max: 40 }),
      standing: fc.constantFrom<Standing>('idle', 'busy', 'fixed'),
      lastUsed: fc.constantFrom(now - 1, longAgo),
    });
    const opens = fc.record({ tenant, bytes: fc.integer({ min: 1, max: 80 }) });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 12 }), opens, (given, asked) => {
        // A set is in the order of use.
        const byUse = given.toSorted((x, y) => x.lastUsed - y.lastUsed);
        const { order, isEnough } = leaving(byUse, asked);
        const shares = new Map<string, number>([[asked.tenant, asked.bytes]]);
        for (const each of byUse) shares.set(each.tenant, (shares.get(each.tenant) ?? 0) + each.bytes);
        const shareOf = (name: string) => shares.get(name) ?? 0;
        const left = new Set(byUse.keys());
        const allowed = (standing: Standing) =>
          [...left].filter((i) => {
            const each = byUse[i] ?? expect.fail();
            const isFirst = ![...left].some(
              (j) => j < i && byUse[j]?.tenant === each.tenant && byUse[j]?.standing === standing,
            );
            const isTheirs = each.tenant !== asked.tenant;
            const isLighter = shareOf(each.tenant) <= shareOf(asked.tenant);
            return (
              each.standing === standing && isFirst && !(isTheirs && isLighter && each.lastUsed > longAgo)
            );
          });
        let missing = asked.bytes;
        let place = 0;
        for (const standing of ['idle', 'busy', 'idle'] as const) {
          for (; order[place]?.isDrained === (standing === 'busy'); place += 1) {
            const id = order[place]?.id ?? expect.fail();
            const candidates = allowed(standing);
            expect(candidates).toContain(id);
            const chosen = byUse[id] ?? expect.fail();
            const most = Math.max(...candidates.map((i) => shareOf(byUse[i]?.tenant ?? '')));
            expect(shareOf(chosen.tenant)).toBe(most);
            expect(missing).toBeGreaterThan(0);
            left.delete(id);
            shares.set(chosen.tenant, shareOf(chosen.tenant) - chosen.bytes);
            missing -= chosen.bytes;
          }
          if (missing > 0) expect(allowed(standing)).toEqual([]);
        }
        expect(place).toBe(order.length);
        expect(isEnough).toBe(missing <= 0);
        // The first few of them, and the same answer, where not all are chosen at once.
        const few = leaving(byUse, { ...asked, leaversMax: 3 });
        expect(few).toMatchObject({ order: order.slice(0, 3), isEnough });
      }),
      { numRuns: 1_000 },
    );
  });
});
