import { expect, test } from 'vitest';
import { createSecretBox } from '../secrets/secret-box.ts';
import { createDevices } from './devices.ts';

const devices = createDevices(createSecretBox('a secret for tests, long enough to be one'));
const { issue } = devices;

test('a device is known to the account it has signed in to, and to no other', () => {
  const cookie = issue(null, 'ada@example.org');
  expect(devices.recognise(cookie, 'ada@example.org')).toMatch(/^[\w-]{22}$/);
  expect(devices.recognise(cookie, 'grace@example.org')).toBeNull();
  expect(devices.recognise(null, 'ada@example.org')).toBeNull();
});

test('it keeps its name when it signs in again, and the accounts it knew', () => {
  const first = issue(null, 'ada@example.org');
  const both = issue(first, 'grace@example.org');
  const again = issue(both, 'ada@example.org');
  for (const cookie of [both, again]) {
    expect(devices.recognise(cookie, 'ada@example.org')).toBe(devices.recognise(first, 'ada@example.org'));
    expect(devices.recognise(cookie, 'grace@example.org')).not.toBeNull();
  }
});

test('each device has a name of its own', () => {
  const names = Array.from({ length: 20 }, () => devices.recognise(issue(null, 'ada'), 'ada'));
  expect(new Set(names).size).toBe(20);
});

test('a browser is remembered for the five accounts it signed in to last', () => {
  let cookie: string | null = null;
  for (let i = 0; i < 8; i++) cookie = issue(cookie, `account ${i}`);
  const known = Array.from({ length: 8 }, (_, i) => devices.recognise(cookie, `account ${i}`) !== null);
  expect(known).toEqual([false, false, false, true, true, true, true, true]);
  expect(cookie?.length).toBeLessThan(400);
});

test('what was altered, made up or signed with another secret is no device', () => {
  const cookie = issue(null, 'ada');
  // The very last character has bits that mean nothing.
  const other = (character: string | undefined) => (character === 'A' ? 'B' : 'A');
  const altered = [
    `${cookie.slice(0, 63)}${other(cookie[63])}${cookie.slice(64)}`,
    `${other(cookie[0])}${cookie.slice(1)}`,
    cookie.slice(1),
    '',
    '.',
    'x'.repeat(100_000),
    createDevices(createSecretBox('another secret for tests, long enough')).issue(null, 'ada'),
  ];
  for (const value of altered) expect(devices.recognise(value, 'ada'), value.slice(0, 80)).toBeNull();
});

test('its cookie tells an account without an email, the same on all its devices, and none when it was altered', () => {
  const [one, another] = [issue(null, 'ada'), issue(null, 'ada')];
  const account = devices.accountName(one);
  expect(account).toMatch(/^[\w-]{22}$/);
  expect(devices.accountName(another)).toBe(account);
  expect(devices.accountName(issue(null, 'grace'))).not.toBe(account);
  // The last one that signed in.
  let cookie = one;
  for (let i = 0; i < 8; i++) cookie = issue(cookie, `account ${i}`);
  expect(devices.accountName(issue(cookie, 'ada'))).toBe(account);
  for (let place = 0; place < one.length; place++) {
    const other = one[place] === 'A' ? 'B' : 'A';
    const altered = `${one.slice(0, place)}${other}${one.slice(place + 1)}`;
    expect(devices.accountName(altered), `place ${place}`).toBeNull();
  }
  for (const value of [null, undefined, '', '.', one.slice(0, 65), 'x'.repeat(100_000)])
    expect(devices.accountName(value)).toBeNull();
});
