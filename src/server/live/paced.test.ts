import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Paced } from './paced.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the first is told at once, what follows once in a while, and the last in any case', () => {
  const told: string[] = [];
  const paced = new Paced<string>({ everyMs: 1_000, tell: (name) => told.push(name) });
  for (let i = 0; i < 25; i += 1) {
    paced.note('a');
    vi.advanceTimersByTime(100);
  }
  expect(told).toEqual(['a', 'a', 'a']);
  paced.note('b');
  expect(told.at(-1)).toBe('b');
  vi.advanceTimersByTime(1_000);
  expect(told.filter((name) => name === 'a')).toHaveLength(4);
  vi.advanceTimersByTime(10_000);
  expect(told).toHaveLength(5);
  expect(vi.getTimerCount()).toBe(0);
  paced.note('a');
  paced.note('a');
  paced.stop();
  vi.advanceTimersByTime(10_000);
  expect(told).toHaveLength(6);
});
