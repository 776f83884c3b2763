import { afterEach, expect, test, vi } from 'vitest';
import { within } from './within.ts';

afterEach(() => vi.useRealTimers());

const late = () => new Error('late');

test('an answer in time is passed on, a failure too, and no timer is left', async () => {
  vi.useFakeTimers();
  expect(await within(Promise.resolve('an answer'), 1_000, late)).toBe('an answer');
  await expect(within(Promise.reject(new Error('a failure')), 1_000, late)).rejects.toThrow('a failure');
  expect(vi.getTimerCount()).toBe(0);
});

test('without an answer it fails when the time is over, not before', async () => {
  vi.useFakeTimers();
  let outcome = 'none';
  const waiting = within(new Promise(() => {}), 1_000, late).catch((error) => {
    outcome = error.message;
  });
  await vi.advanceTimersByTimeAsync(999);
  expect(outcome).toBe('none');
  await vi.advanceTimersByTimeAsync(1);
  await waiting;
  expect(outcome).toBe('late');
});
