import { expect, test } from 'vitest';
import { Quarantine } from './quarantine.ts';

test('a collection that ends two threads within an hour rests until it is released; one end is forgotten after it', () => {
  let now = 0;
  const hourMs = 3_600_000;
  const quarantine = new Quarantine(() => now);
  const endAt = (ms: number, id: number) => {
    now = ms;
    quarantine.noteEnd(id);
    return quarantine.has(id);
  };
  expect([endAt(0, 1), endAt(hourMs, 1), endAt(hourMs + 1, 2)]).toEqual([false, false, false]);
  expect(endAt(2 * hourMs - 1, 1)).toBe(true);
  now = 100 * hourMs;
  expect([quarantine.has(1), quarantine.has(2)]).toEqual([true, false]);
  quarantine.release(1);
  expect([quarantine.has(1), endAt(100 * hourMs, 1)]).toEqual([false, false]);
});
