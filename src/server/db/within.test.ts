import { afterEach, expect, test, vi } from 'vitest';
import { within } from './within.ts';

afterEach(() => vi.useRealTimers());

test('an answer in time is passed on, a failure too, and no timer is left', async () => {
  vi.useFakeTimers();
  expect(await within(1_000, Promise.resolve('an answer'))).toBe('an answer');
  await expect(within(1_000, Promise.reject(new Error('a failure')))).rejects.toThrow('a failure');
  expect(vi.getTimerCount()).toBe(0);
});

test('without an answer it is UNAVAILABLE when the time is over, not before', async () => {
  vi.useFakeTimers();
  let outcome = 'none';
  const waiting = within(1_000, new Promise(() => {})).catch((error) => {
    outcome = error.code;
  });
  await vi.advanceTimersByTimeAsync(999);
  expect(outcome).toBe('none');
  await vi.advanceTimersByTimeAsync(1);
  await waiting;
  expect(outcome).toBe('UNAVAILABLE');
});
