import { expect, test } from 'vitest';
import { AppError } from '#server/errors.ts';
import { fakeClock } from '#server/testing/fake-clock.ts';
import { createBackoffThrottle, createWindowThrottle, type Throttle } from './throttle.ts';

/** Null when the try is let through, else the seconds to wait. */
function waitOf(throttle: Throttle, key: string): number | null {
  try {
    throttle.take(key);
    return null;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'TOO_MANY_REQUESTS') throw error;
    return error.retryAfterSeconds ?? Number.NaN;
  }
}

test('an account has its free tries, then waits twice as long each time, at most 900 seconds', () => {
  const { clock, pass } = fakeClock();
  const throttle = createBackoffThrottle({ free: 5, what: 'tries' }, clock);
  for (let i = 0; i < 5; i++) expect(waitOf(throttle, 'ada')).toBeNull();
  const waits: number[] = [];
  for (let i = 0; i < 12; i++) {
    const wait = waitOf(throttle, 'ada');
    if (wait === null) throw new Error('let through without a wait');
    waits.push(wait);
    pass(wait * 1000);
    expect(waitOf(throttle, 'ada')).toBeNull();
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  expect(waitOf(throttle, 'grace')).toBeNull();
});

test('tries made while waiting do not lengthen the wait', () => {
  const { clock, pass } = fakeClock();
  const throttle = createBackoffThrottle({ free: 1, what: 'tries' }, clock);
  throttle.take('ada');
  expect([waitOf(throttle, 'ada'), waitOf(throttle, 'ada')]).toEqual([1, 1]);
  pass(1000);
  expect(waitOf(throttle, 'ada')).toBeNull();
});

test('a right password clears the account, and so does a day of quiet', () => {
  const { clock, pass } = fakeClock();
  const throttle = createBackoffThrottle({ free: 2, what: 'tries' }, clock);
  throttle.take('ada');
  throttle.take('ada').giveBack();
  for (let i = 0; i < 2; i++) expect(waitOf(throttle, 'ada')).toBeNull();
  expect(waitOf(throttle, 'ada')).toBe(1);
  pass(24 * 60 * 60_000);
  for (let i = 0; i < 2; i++) expect(waitOf(throttle, 'ada')).toBeNull();
});

test('a window lets through its limit and opens when the oldest try leaves it', () => {
  const { clock, pass } = fakeClock();
  const throttle = createWindowThrottle({ limit: 3, windowMs: 600_000, what: 'tries' }, clock);
  expect(waitOf(throttle, '10.0.0.1')).toBeNull();
  pass(100_000);
  expect(waitOf(throttle, '10.0.0.1')).toBeNull();
  expect(waitOf(throttle, '10.0.0.1')).toBeNull();
  expect(waitOf(throttle, '10.0.0.1')).toBe(500);
  expect(waitOf(throttle, '10.0.0.2')).toBeNull();
  pass(500_000);
  expect(waitOf(throttle, '10.0.0.1')).toBeNull();
  expect(waitOf(throttle, '10.0.0.1')).toBe(100);
});

test('a try given back does not count', () => {
  const { clock } = fakeClock();
  const throttle = createWindowThrottle({ limit: 1, windowMs: 1000, what: 'tries' }, clock);
  for (let i = 0; i < 10; i++) throttle.take('10.0.0.1').giveBack();
  expect(waitOf(throttle, '10.0.0.1')).toBeNull();
  expect(waitOf(throttle, '10.0.0.1')).toBe(1);
});

test('memory is bounded: what was touched longest ago is forgotten first', () => {
  const { clock } = fakeClock();
  const throttle = createWindowThrottle({ limit: 1, windowMs: 1_000_000, what: 'tries' }, clock);
  throttle.take('first');
  for (let i = 0; i < 49_999; i++) throttle.take(`other ${i}`);
  expect(waitOf(throttle, 'first')).not.toBeNull();
  throttle.take('one too many');
  expect(waitOf(throttle, 'first')).toBeNull();
});
