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
  expect(limit.findRefusal('a', 4)).toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfterSeconds: 1 });
  expect(() => limit.take('a', 4)).toThrow('Too many searches');
  expect(through('a', 50)).toBe(3);
  expect(limit.findRefusal('a', 50)).toMatchObject({ retryAfterSeconds: 10 });
  pass(10_000);
  expect(limit.findRefusal('a', 50)).toBeNull();
  limit.take('a', 50);
  expect(through('a', 1)).toBe(0);
});
