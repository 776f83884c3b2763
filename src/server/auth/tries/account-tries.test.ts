import { expect, test } from 'vitest';
import { fakeClock } from '#server/testing/fake-clock.ts';
import { AccountTries } from './account-tries.ts';

const hourSeconds = 60 * 60;

function makeTries(free: number) {
  const { monotonic, pass } = fakeClock();
  const tries = new AccountTries(free, monotonic);
  const isLetThrough = (network: string, account = 'ada') => {
    try {
      tries.take({ account, network });
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
      return false;
    }
  };
  return { tries, isLetThrough, pass };
}

test('strangers try an account 200 times at once and then 420 times an hour, from however many networks', () => {
  const { isLetThrough, pass } = makeTries(100);
  let count = 0;
  const tryFor = (seconds: number) => {
    count = 0;
    for (let second = 0; second < seconds; second++) {
      // Ever new ones, five a second, and one that has failed.
      for (let i = 0; i < 5; i++) if (isLetThrough(`new ${second} ${count}`)) count += 1;
      if (isLetThrough('old')) count += 1;
      pass(1_000);
    }
    return count;
  };
  const firstHour = tryFor(hourSeconds);
  expect(firstHour).toBeGreaterThan(200 + 400);
  expect(firstHour).toBeLessThanOrEqual(200 + 1 + 420);
  expect(tryFor(hourSeconds)).toBe(420);
});

test('an account does not wait for another one', () => {
  const { isLetThrough } = makeTries(1);
  for (let i = 0; i < 20; i++) isLetThrough(`network ${i}`);
  expect(isLetThrough('new')).toBe(false);
  expect(isLetThrough('new', 'grace')).toBe(true);
});

test('a try that is given back counts neither for the account nor for its network', () => {
  const { tries, isLetThrough } = makeTries(1);
  expect(isLetThrough('guesser')).toBe(true);
  for (let i = 0; i < 20; i++) tries.take({ account: 'ada', network: 'owner' }).giveBack();
  expect(isLetThrough('new')).toBe(true);
  expect(isLetThrough('owner')).toBe(false);
});

test('of tries at once from one network the first alone is its first', () => {
  const { tries, isLetThrough } = makeTries(2);
  for (let i = 0; i < 2; i++) isLetThrough('guesser');
  expect([1, 2, 3, 4].map(() => isLetThrough('new'))).toEqual([true, true, false, false]);
  tries.learn('known to others', { count: 1, agoMs: 0 });
  expect(isLetThrough('known to others')).toBe(false);
});
