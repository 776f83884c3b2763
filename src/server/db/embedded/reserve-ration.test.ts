import { expect, test } from 'vitest';
import { fakeClock } from '#server/testing/fake-clock.ts';
import { createReserveRations } from './reserve-ration.ts';

function createReserveRation(clock: () => Date) {
  const take = createReserveRations(clock);
  return (tenant: string) => take({ of: 'exports', tenant });
}

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

test('some that take theirs again and again leave the others theirs', () => {
  const { clock, pass } = fakeClock();
  const take = createReserveRation(clock);
  const greedy = [...'abcdefghij'];
  for (let minute = 0; minute < 59; minute += 1) {
    const inAll = greedy.reduce((sum, tenant) => sum + timesOf(take, tenant), 0);
    expect(inAll).toBe(minute === 0 ? 16 : 8);
    if (minute > 0) expect(take(`modest ${minute}`)).toBe(true);
    pass(60_000);
  }
});

test('of each kind for itself', () => {
  const { clock } = fakeClock();
  const take = createReserveRations(clock);
  const times = (of: 'exports' | 'deletions' | 'signIns') => timesOf((tenant) => take({ of, tenant }), 'a');
  expect([times('exports'), times('deletions'), times('signIns')]).toEqual([4, 8, 4]);
});
