import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limits } from '#shared/limits.ts';
import { countedQuery, keyOfText } from './counted-query.ts';

test.each([
  ['  Red \t SHOES\n', 'red shoes'],
  ['STRASSE', 'strasse'],
  ['straße', 'strasse'],
  ['', '*'],
  ['   ', '*'],
  ['*', '*'],
  ['a\u0000b\ud800c', 'a b c'],
])('%j counts as %j', (given, expected) => {
  expect(countedQuery(given)).toBe(expected);
});

test('what is counted is bounded, can be stored, and counts as itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const counted = countedQuery(text);
      expect(counted.length).toBeLessThanOrEqual(limits.countedQueryCharactersMax);
      expect(counted).not.toBe('');
      expect(counted.isWellFormed()).toBe(true);
      expect(counted).not.toMatch(/[\p{C}\n]/u);
    }),
  );
  expect(countedQuery('𝒳'.repeat(300)).isWellFormed()).toBe(true);
});

test('a plain query counts as what any other way of typing it does', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', maxLength: 120 }), (text) => {
      expect(countedQuery(text)).toBe(countedQuery(`\t${text}`));
    }),
  );
});

test('texts have keys of 48 bits of their own', () => {
  const texts = Array.from({ length: 100_000 }, (_, i) => `query ${i.toString(36)}`);
  const keys = texts.map(keyOfText);
  expect(new Set(keys).size).toBe(texts.length);
  expect(Math.max(...keys.slice(0, 10_000))).toBeLessThan(2 ** 48);
  expect(keys.every((key) => Number.isSafeInteger(key) && key > 0)).toBe(true);
});
