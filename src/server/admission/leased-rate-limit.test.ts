import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LeasedRateLimit, type TakeLease } from './leased-rate-limit.ts';
import { takeOrReject } from './rate-limit.ts';

/** Servers that share limits, by a clock that stands still unless told. What the record does is in `rate-windows.test.ts`. */
function world({ perMinute = 60, burst = 80, servers = 2 } = {}) {
  let now = 5_000;
  let isAway = false;
  let asked = 0;
  const wholeAt = new Map<string, number>();
  const takeLease: TakeLease = async ({ name, eachMs, count }) => {
    asked += 1;
    if (isAway) return null;
    const start = Math.max(now, wholeAt.get(name) ?? now);
    const left = Math.floor(burst - (start - now) / eachMs + 1e-6);
    const tokens = left < count ? 0 : Math.max(count, Math.floor(left / 8));
    wholeAt.set(name, start + tokens * eachMs);
    return { tokens, owedMs: start + tokens * eachMs - now };
  };
  const options = { perMinute, burst, what: 'requests' };
  const limits = Array.from({ length: servers }, () => new LeasedRateLimit(options, takeLease, () => now));
  const serverOf = (server: number) => limits[server] as LeasedRateLimit;
  const take = (server: number, count = 1) => takeOrReject(serverOf(server), 'a', count);
  return {
    take,
    serverOf,
    /** How many of so many get through, all sent at once. */
    async through(server: number, tries: number): Promise<number> {
      const all = await Promise.all(Array.from({ length: tries }, () => take(server)));
      return all.filter((rejection) => rejection === null).length;
    },
    pass(ms: number) {
      now += ms;
    },
    setAway(is: boolean) {
      isAway = is;
    },
    asked: () => asked,
    now: () => now,
  };
}

test('as many get through all servers as through one, and a refusal is not asked for again', async () => {
  const { through, pass, asked, take } = world();
  const passed = await Promise.all([through(0, 100), through(1, 100)]);
  expect(passed[0] + passed[1]).toBe(80);
  const before = asked();
  expect(before).toBeLessThan(40);
  expect([await through(0, 500), await through(1, 500), asked()]).toEqual([0, 0, before]);
  expect(await take(1)).toMatchObject({ retryAfterSeconds: 1 });
  pass(10_000);
  const later = [await through(0, 100), await through(1, 100)];
  expect((later[0] ?? 0) + (later[1] ?? 0)).toBe(10);
});

test('what one has taken the other is told with its next lease, and when to come back', async () => {
  const { through, serverOf, take } = world();
  expect(await through(0, 10)).toBe(10);
  expect(serverOf(0).budgetOf('a')).toEqual({ remaining: 70, moreInSeconds: 1 });
  expect(serverOf(1).budgetOf('a').remaining).toBe(80);
  expect(await through(0, 60)).toBe(60);
  expect(await take(1)).toBeNull();
  expect(serverOf(1).budgetOf('a').remaining).toBeLessThanOrEqual(9);
  expect(await take(1, 40)).toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfterSeconds: 31 });
});

test('a server that is gone has kept its lease, an eighth of the limit, until that has filled up', async () => {
  const { through, pass } = world();
  expect(await through(0, 1)).toBe(1);
  expect(await through(1, 100)).toBe(70);
  pass(10_000);
  expect(await through(1, 100)).toBe(10);
  pass(60_000);
  pass(20_000);
  expect(await through(1, 100)).toBe(80);
});

test('while nobody can be asked a server counts by itself, and asks once a second', async () => {
  const { through, pass, setAway, asked } = world();
  expect(await through(0, 30)).toBe(30);
  setAway(true);
  const before = asked();
  expect([await through(0, 100), await through(1, 100)]).toEqual([50, 80]);
  expect(asked() - before).toBe(2);
  setAway(false);
  pass(1_000);
  expect(await through(0, 100)).toBe(1);
});

test('what is given back is had again here, and no more than was leased', async () => {
  const { through, serverOf, asked } = world();
  await through(0, 10);
  const before = asked();
  serverOf(0).giveBack('a', 8);
  expect(await through(0, 8)).toBe(8);
  expect(asked()).toBe(before);
  for (let i = 0; i < 5; i += 1) serverOf(0).giveBack('a', 50);
  const all = [await through(0, 100), await through(1, 100)];
  expect((all[0] ?? 0) + (all[1] ?? 0)).toBeLessThanOrEqual(80);
});

const steps = fc.array(
  fc.record({
    pass: fc.oneof(fc.constant(0), fc.nat({ max: 3_000 }), fc.nat({ max: 90_000 })),
    server: fc.nat({ max: 2 }),
    count: fc.integer({ min: 1, max: 12 }),
    tries: fc.integer({ min: 1, max: 30 }),
  }),
  { maxLength: 40 },
);

test('no interval has more through all of them than a burst and what fills up in it, but for one', async () => {
  const perMinutes = fc.constantFrom(7, 60, 600);
  await fc.assert(
    fc.asyncProperty(perMinutes, fc.integer({ min: 1, max: 40 }), steps, async (perMinute, burst, all) => {
      const { take, pass, now } = world({ perMinute, burst, servers: 3 });
      const taken: { at: number; sum: number }[] = [];
      let sum = 0;
      for (const step of all) {
        pass(step.pass);
        for (let i = 0; i < step.tries; i += 1) {
          if ((await take(step.server, step.count)) !== null) continue;
          taken.push({ at: now(), sum });
          sum += Math.min(step.count, burst);
        }
      }
      for (const [place, from] of taken.entries()) {
        for (const to of taken.slice(place)) {
          const through = to.sum - from.sum;
          expect(through).toBeLessThanOrEqual(burst + ((to.at - from.at) * perMinute) / 60_000 + 1.001);
        }
      }
    }),
  );
});

test('one that is asked alone lets a burst through, also after the others held leases for a while', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 100 }), fc.nat({ max: 99 }), async (burst, used) => {
      const { through, pass } = world({ burst });
      await through(0, used);
      pass(burst * 1_000);
      expect(await through(1, 200)).toBe(burst);
    }),
  );
});
