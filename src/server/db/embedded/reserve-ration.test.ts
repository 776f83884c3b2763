import { expect, test } from 'vitest';
import { fakeClock } from '#server/testing/fake-clock.ts';
import { createReserveRation } from './reserve-ration.ts';

const timesOf = (take: (tenant: string) => boolean, tenant: string) =>
  Array.from({ length: 50 }, () => take(tenant)).filter(Boolean).length;

test('so many a minute, of one tenant fewer: another one has some left', () => {
  const { clock, pass } = fakeClock();
  const take = createReserveRation(clock);
  expect(['a', 'b', 'c', 'd', 'e'].map((tenant) => timesOf(take, tenant))).toEqual([4, 4, 4, 4, 0]);
  pass(59_999);
  expect(take('a')).toBe(false);
  pass(1);
  expect(timesOf(take, 'e')).toBe(4);
});

test('a clock that was set back gives no longer waits', () => {
  const { clock, jump } = fakeClock();
  const take = createReserveRation(clock);
  timesOf(take, 'a');
  jump(-24 * 60 * 60_000);
  expect(take('a')).toBe(true);
});
