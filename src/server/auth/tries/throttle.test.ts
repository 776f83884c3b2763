import { expect, test } from 'vitest';
import { AppError } from '#server/errors.ts';
import { fakeClock } from '#server/testing/fake-clock.ts';
import { createAddressThrottle, createBackoff, createWindowThrottle, type Throttle } from './throttle.ts';

function refusalOf(throttle: Throttle, key: string): AppError | null {
  try {
    throttle.take(key);
    return null;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'TOO_MANY_REQUESTS') throw error;
    return error;
  }
}

/** Null when the try is let through, else the seconds to wait. */
function waitOf(throttle: Throttle, key: string): number | null {
  const refusal = refusalOf(throttle, key);
  return refusal && (refusal.retryAfterSeconds ?? Number.NaN);
}

function makeBackoff(free: number, waitSecondsMax = 900) {
  const { monotonic, pass } = fakeClock();
  return { throttle: createBackoff({ free, waitSecondsMax, what: 'tries' }, monotonic), pass };
}

test('a key has its free tries, then waits twice as long each time, at most 900 seconds', () => {
  const { throttle, pass } = makeBackoff(5);
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

test('a server that has run for days waits as long', () => {
  const { throttle, pass } = makeBackoff(1);
  pass(3 * 24 * 60 * 60_000);
  expect([waitOf(throttle, 'ada'), waitOf(throttle, 'ada')]).toEqual([null, 1]);
});

test('the wait is told in seconds, a long one in minutes', () => {
  const { monotonic } = fakeClock();
  const toldOf = (windowMs: number) => {
    const throttle = createWindowThrottle({ limit: 1, windowMs, what: 'sign-ups' }, monotonic);
    throttle.take('ada');
    return refusalOf(throttle, 'ada')?.message;
  };
  expect(toldOf(119_000)).toBe('Too many sign-ups; try again in 119 seconds');
  expect(toldOf(120_000)).toBe('Too many sign-ups; try again in 2 minutes');
  expect(toldOf(601_000)).toBe('Too many sign-ups; try again in 11 minutes');
});

test('tries made while waiting do not lengthen the wait', () => {
  const { throttle, pass } = makeBackoff(1);
  throttle.take('ada');
  expect([waitOf(throttle, 'ada'), waitOf(throttle, 'ada')]).toEqual([1, 1]);
  pass(1000);
  expect(waitOf(throttle, 'ada')).toBeNull();
});

test('a right password clears a key, and so does a day of quiet', () => {
  const { throttle, pass } = makeBackoff(2);
  throttle.take('ada');
  throttle.take('ada');
  throttle.clear('ada');
  for (let i = 0; i < 2; i++) expect(waitOf(throttle, 'ada')).toBeNull();
  expect(waitOf(throttle, 'ada')).toBe(1);
  pass(24 * 60 * 60_000);
  for (let i = 0; i < 2; i++) expect(waitOf(throttle, 'ada')).toBeNull();
});

test('a try that is given back leaves the wait as it was', () => {
  const { throttle, pass } = makeBackoff(2);
  throttle.take('ada');
  throttle.take('ada').giveBack();
  throttle.take('ada');
  expect(waitOf(throttle, 'ada')).toBe(1);
  pass(1000);
  throttle.take('ada').giveBack();
  expect(waitOf(throttle, 'ada')).toBeNull();
  expect(waitOf(throttle, 'ada')).toBe(2);
});

test('of tries that overlap, the one given back counts no more', () => {
  const { throttle } = makeBackoff(3);
  const first = throttle.take('ada');
  throttle.take('ada');
  first.giveBack();
  throttle.take('ada');
  expect(waitOf(throttle, 'ada')).toBeNull();
  expect(waitOf(throttle, 'ada')).toBe(1);
});

test('a try that is given back after the key was cleared frees no further one', () => {
  const { throttle } = makeBackoff(2);
  const first = throttle.take('ada');
  throttle.take('ada');
  throttle.clear('ada');
  first.giveBack();
  for (let i = 0; i < 2; i++) expect(waitOf(throttle, 'ada')).toBeNull();
  expect(waitOf(throttle, 'ada')).toBe(1);
});

test('what others counted counts here, once', () => {
  const { throttle, pass } = makeBackoff(2);
  throttle.learn('ada', { count: 4, agoMs: 1_000 });
  expect(waitOf(throttle, 'ada')).toBe(3);
  pass(3_000);
  expect(waitOf(throttle, 'ada')).toBeNull();
  throttle.learn('ada', { count: 4, agoMs: 0 });
  expect(waitOf(throttle, 'ada')).toBe(8);
});

test('what others know of the same tries does not begin the wait anew', () => {
  const { throttle, pass } = makeBackoff(2);
  for (let i = 0; i < 2; i++) throttle.take('ada');
  pass(1_000);
  throttle.learn('ada', { count: 2, agoMs: 0 });
  expect(waitOf(throttle, 'ada')).toBeNull();
});

test('a moment that others have from a clock that was ahead does not lengthen the wait', () => {
  const { throttle } = makeBackoff(2);
  throttle.learn('ada', { count: 2, agoMs: -24 * 60 * 60_000 });
  expect(waitOf(throttle, 'ada')).toBe(1);
});

test('a window lets through its limit and opens when the oldest try leaves it', () => {
  const { monotonic, pass } = fakeClock();
  const throttle = createWindowThrottle({ limit: 3, windowMs: 600_000, what: 'tries' }, monotonic);
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
  const { monotonic } = fakeClock();
  const throttle = createWindowThrottle({ limit: 1, windowMs: 1000, what: 'tries' }, monotonic);
  for (let i = 0; i < 10; i++) throttle.take('10.0.0.1').giveBack();
  expect(waitOf(throttle, '10.0.0.1')).toBeNull();
  expect(waitOf(throttle, '10.0.0.1')).toBe(1);
});

test('one that is given back after it has left the window takes no other with it', () => {
  const { monotonic, pass } = fakeClock();
  const throttle = createWindowThrottle({ limit: 1, windowMs: 1000, what: 'tries' }, monotonic);
  const first = throttle.take('10.0.0.1');
  pass(1000);
  throttle.take('10.0.0.1');
  first.giveBack();
  expect(waitOf(throttle, '10.0.0.1')).toBe(1);
});

test('the memory of a window is bounded: what was touched longest ago is forgotten first', () => {
  const { monotonic } = fakeClock();
  const throttle = createWindowThrottle({ limit: 1, windowMs: 1_000_000, what: 'tries' }, monotonic);
  throttle.take('first');
  for (let i = 0; i < 49_999; i++) throttle.take(`other ${i}`);
  expect(waitOf(throttle, 'first')).not.toBeNull();
  throttle.take('one too many');
  expect(waitOf(throttle, 'first')).toBeNull();
});

test('a flood of other names frees nobody’s tries, and throttles few who were not tried', () => {
  const { throttle, pass } = makeBackoff(5);
  // The moments of tries are kept in the flood, too.
  pass(60 * 60_000);
  for (let i = 0; i < 5; i++) throttle.take('victim');
  let throttled = 0;
  for (let i = 0; i < 120_000; i++) if (waitOf(throttle, `other ${i}`) !== null) throttled += 1;
  expect(throttled).toBeLessThan(500);
  expect(waitOf(throttle, 'victim')).toBe(1);
  pass(1_000);
  throttle.take('victim');
  expect(waitOf(throttle, 'victim')).toBe(2);
  const honest = Array.from({ length: 1_000 }, (_, i) => waitOf(throttle, `honest ${i}`));
  expect(honest.filter((wait) => wait !== null).length).toBeLessThan(5);
});

test('who signs in after such a flood starts afresh', () => {
  const { throttle, pass } = makeBackoff(2);
  for (let i = 0; i < 2; i++) throttle.take('ada');
  for (let i = 0; i < 60_000; i++) waitOf(throttle, `other ${i}`);
  pass(1_000);
  throttle.take('ada');
  throttle.clear('ada');
  for (let i = 0; i < 2; i++) expect(waitOf(throttle, 'ada')).toBeNull();
});

test('a network of IPv6 has as many tries as eight of its addresses, and what is given back counts for neither', () => {
  const { monotonic, pass } = fakeClock();
  const throttle = createAddressThrottle({ limit: 2, windowMs: 60_000, what: 'tries' }, monotonic);
  const group = (subnet: number) => `2001:db8:1:${subnet.toString(16)}::/64`;
  for (let subnet = 0; subnet < 8; subnet += 1) {
    expect([waitOf(throttle, group(subnet)), waitOf(throttle, group(subnet))]).toEqual([null, null]);
    expect(refusalOf(throttle, group(subnet))?.message).toContain('tries from this address');
  }
  expect(throttle.findRejection(group(99))?.message).toContain('tries from this network');
  expect(waitOf(throttle, group(99))).toBe(60);
  expect(waitOf(throttle, '2001:db8:2:0::/64')).toBeNull();
  pass(60_000);
  for (let subnet = 0; subnet < 100; subnet += 1) throttle.take(group(subnet)).giveBack();
  expect(waitOf(throttle, group(0))).toBeNull();
});

test('an address of IPv4 is no part of a network', () => {
  const { monotonic } = fakeClock();
  const throttle = createAddressThrottle({ limit: 1, windowMs: 60_000, what: 'tries' }, monotonic);
  for (let last = 0; last < 100; last += 1) expect(waitOf(throttle, `203.0.113.${last}`)).toBeNull();
  expect(waitOf(throttle, '203.0.113.7')).toBe(60);
});
