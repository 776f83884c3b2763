import fc from 'fast-check';
import { expect, it } from 'vitest';
import { foldWord } from './fold.ts';
import { streamSafe } from './stream-safe.ts';

const accented = /(?<=[\p{sc=Latn}\p{sc=Grek}\p{sc=Arab}\p{sc=Hebr}]\p{M}*)\p{M}+/gu;

it('drops the marks behind a letter, or a mark, of the scripts that are read without', () => {
  expect(foldWord('щ\u05b0\u0301\u05b0')).toBe('щ\u05b0');
  expect(foldWord('щ\u0301')).toBe('щ\u0301');
  expect(foldWord('a\u0301\u0323\u0345')).toBe('aι');
  const character = fc.constantFrom(
    ...'aщאبα1',
    '\u0301',
    '\u0323',
    '\u05b0',
    '\u0610',
    '\u064b',
    '\u0e34',
    '\u{1d165}',
    '\u{1e000}',
  );
  fc.assert(
    fc.property(fc.string({ unit: character, maxLength: 40 }), (word) => {
      fc.pre(streamSafe(word) === word);
      expect(foldWord(word)).toBe(word.normalize('NFD').replace(accented, '').normalize('NFC').toLowerCase());
    }),
    { numRuns: 5_000 },
  );
});

/** Whether a character is folded on its own may not show: "ﬁ" becomes two letters, so a word that ends in it is folded as a whole. */
const asAWhole = (word: string): string => foldWord(`${word}ﬁ`).slice(0, -2);

it('folds a word character by character as it does as a whole', () => {
  const units = Array.from({ length: 0x10000 - 0x80 }, (_, i) => `a${String.fromCharCode(0x80 + i)}b`);
  expect(units.filter((word) => foldWord(word) !== asAWhole(word))).toEqual([]);
  const character = fc.oneof(
    fc.constantFrom(...'aZ0éßσςΣİıþŉæ東がガｶ\uff9e한\u1112\u1161\u11ab\u3131\u314fйЖشـ①ﾊक़'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  );
  fc.assert(
    fc.property(fc.string({ unit: character, maxLength: 12 }), (word) => {
      fc.pre(/[^\0-\x7f]/.test(word));
      expect(foldWord(word)).toBe(asAWhole(word));
    }),
    { numRuns: 3_000 },
  );
});
