import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AppError } from '#server/errors.ts';
import { RateLimit } from './rate-limit.ts';

function world() {
  let now = 5_000;
  const limit = new RateLimit({ perMinute: 60, burst: 10, what: 'searches' }, () => now);
  /** How many of so many get through. */
  const through = (name: string, tries: number) => {
    let count = 0;
    for (let i = 0; i < tries; i += 1) {
      try {
        limit.take(name);
        count += 1;
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
        expect(error).toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfterSeconds: 1 });
      }
    }
    return count;
  };
  const pass = (ms: number) => {
    now += ms;
  };
  return { limit, through, pass };
}

it('lets a burst through, then so many a minute, of each name', () => {
  const { through, pass } = world();
  expect(through('a', 50)).toBe(10);
  expect(through('b', 50)).toBe(10);
  pass(1_000);
  expect(through('a', 50)).toBe(1);
  pass(5_000);
  expect(through('a', 50)).toBe(5);
  pass(3_600_000);
  expect(through('a', 50)).toBe(10);
});

it('is not emptied by a flood of other names', () => {
  const { through } = world();
  expect(through('a', 50)).toBe(10);
  for (let i = 0; i < 49_000; i += 1) through(`other ${i}`, 1);
  expect(through('a', 1)).toBe(0);
});

it('takes several at once or none of them, and of more than a burst all of one', () => {
  const { limit, through, pass } = world();
  limit.take('a', 7);
  expect(limit.findRejection('a', 4)).toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfterSeconds: 1 });
  expect(() => limit.take('a', 4)).toThrow('Too many searches');
  expect(through('a', 50)).toBe(3);
  expect(limit.findRejection('a', 50)).toMatchObject({ retryAfterSeconds: 10 });
  pass(10_000);
  expect(limit.findRejection('a', 50)).toBeNull();
  limit.take('a', 50);
  expect(through('a', 1)).toBe(0);
});

/** A bucket of tokens, refilled token by token, counted in whole milliseconds. */
function bucketOf(burst: number, eachMs: number) {
  let tokens = burst;
  let since = 0;
  const refill = (now: number) => {
    const whole = Math.floor((now - since) / eachMs);
    tokens = Math.min(burst, tokens + whole);
    since = tokens === burst ? now : since + whole * eachMs;
  };
  return {
    take(now: number, count: number): boolean {
      refill(now);
      if (tokens < Math.min(count, burst)) return false;
      tokens -= Math.min(count, burst);
      return true;
    },
    left: (now: number) => {
      refill(now);
      return tokens;
    },
  };
}

const steps = fc.array(
  fc.record({
    pass: fc.nat({ max: 5_000 }),
    count: fc.integer({ min: 1, max: 12 }),
    name: fc.constantFrom('a', 'b'),
  }),
  { maxLength: 60 },
);
const bursts = fc.integer({ min: 1, max: 40 });

it('is a bucket of tokens for each name, and says what is in it', () => {
  fc.assert(
    fc.property(fc.constantFrom(6, 60, 600), bursts, steps, (perMinute, burst, all) => {
      let now = 0;
      const limit = new RateLimit({ perMinute, burst, what: 'requests' }, () => now);
      const buckets = new Map(['a', 'b'].map((name) => [name, bucketOf(burst, 60_000 / perMinute)]));
      for (const { pass, count, name } of all) {
        now += pass;
        const bucket = buckets.get(name);
        const refusal = limit.findRejection(name, count);
        expect(refusal === null).toBe(bucket?.take(now, count));
        if (refusal === null) limit.take(name, count);
        expect(limit.budgetOf(name).remaining).toBe(bucket?.left(now));
      }
    }),
  );
});

it('has what it told once the time it told is over, and not a second before', () => {
  fc.assert(
    fc.property(fc.constantFrom(7, 60, 1_000), bursts, steps, (perMinute, burst, all) => {
      let now = 0;
      const limit = new RateLimit({ perMinute, burst, what: 'requests' }, () => now);
      for (const { pass, count, name } of all) {
        now += pass;
        const { remaining, moreInSeconds } = limit.budgetOf(name);
        if (remaining === burst) expect(moreInSeconds).toBe(0);
        else {
          now += (moreInSeconds - 1) * 1_000;
          if (moreInSeconds > 1) expect(limit.budgetOf(name).remaining).toBe(remaining);
          now += 1_000;
          expect(limit.budgetOf(name).remaining).toBeGreaterThan(remaining);
        }
        const refusal = limit.findRejection(name, count);
        if (refusal === null) {
          limit.take(name, count);
          continue;
        }
        now += (refusal.retryAfterSeconds - 1) * 1_000;
        if (refusal.retryAfterSeconds > 1) expect(limit.findRejection(name, count)).not.toBeNull();
        now += 1_000;
        expect(limit.findRejection(name, count)).toBeNull();
      }
    }),
  );
});

it('takes back what is given back, and no more than all', () => {
  const limit = new RateLimit({ perMinute: 60, burst: 10, what: 'requests' }, () => 5_000);
  limit.take('a', 8);
  expect(limit.budgetOf('a')).toEqual({ remaining: 2, moreInSeconds: 1 });
  limit.giveBack('a', 3);
  expect(limit.budgetOf('a')).toEqual({ remaining: 5, moreInSeconds: 1 });
  limit.giveBack('a', 10);
  limit.giveBack('nobody', 10);
  expect(limit.budgetOf('a')).toEqual({ remaining: 10, moreInSeconds: 0 });
  limit.take('a');
  expect(limit.budgetOf('a').remaining).toBe(9);
  expect(limit.budgetOf('nobody').remaining).toBe(10);
});
