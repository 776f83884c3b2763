import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashApiKey, isWellFormedApiKey, makeApiKey } from './key-format.ts';

test('a key has the documented shape, at least 131 random bits, and differs each time', () => {
  const keys = Array.from({ length: 1_000 }, makeApiKey);
  expect(new Set(keys).size).toBe(keys.length);
  for (const key of keys) {
    expect(key).toMatch(/^vk_[0-9A-Za-z]{24}_[0-9A-Za-z]{6}$/);
    expect(isWellFormedApiKey(key)).toBe(true);
  }
  expect(24 * Math.log2(62)).toBeGreaterThan(131);
});

test('any one character typed wrong is noticed', () => {
  const character = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');
  const key = makeApiKey();
  fc.assert(
    fc.property(fc.nat(key.length - 1), character, (place, other) => {
      fc.pre(key.charAt(place) !== other);
      expect(isWellFormedApiKey(key.slice(0, place) + other + key.slice(place + 1))).toBe(false);
    }),
  );
});

test('anything else is malformed', () => {
  const key = makeApiKey();
  for (const text of ['', 'vk_', key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`, key.toUpperCase()]) {
    expect(isWellFormedApiKey(text)).toBe(false);
  }
  fc.assert(fc.property(fc.string(), (text) => !isWellFormedApiKey(text)));
});

test('keys are stored as SHA-256', () => {
  expect(Buffer.from(hashApiKey('abc')).toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
