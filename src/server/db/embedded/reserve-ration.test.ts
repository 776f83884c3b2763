import { expect, test } from 'vitest';
import { fakeClock } from '#server/testing/fake-clock.ts';
import { createReserveRation } from './reserve-ration.ts';

const timesOf = (take: (tenant: string) => boolean, tenant: string) =>
  Array.from({ length: 50 }, () => take(tenant)).filter(Boolean).length;

test('so many a minute, of one tenant fewer: further ones have one each', () => {
  const { clock, pass } = fakeClock();
  const take = createReserveRation(clock);
  const tenants = [...'abcdefghijk'];
  expect(tenants.map((tenant) => timesOf(take, tenant))).toEqual([4, 4, 1, 1, 1, 1, 1, 1, 1, 1, 0]);
  pass(59_999);
  expect(take('a')).toBe(false);
  pass(1);
  expect(timesOf(take, 'k')).toBe(4);
});

test('a clock that was set back gives no longer waits', () => {
  const { clock, jump } = fakeClock();
  const take = createReserveRation(clock);
  timesOf(take, 'a');
  jump(-24 * 60 * 60_000);
  expect(take('a')).toBe(true);
});
