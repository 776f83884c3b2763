import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { queryWords, tokenize } from './analyzer.ts';
import { fold, foldWord } from './fold.ts';
import { tokenCharactersMax } from './word-rules.ts';

const words = (text: string) => tokenize(text).map((each) => each.token);

describe('tokenize', () => {
  it('gives folded words with their place in the original', () => {
    expect(tokenize('The Café, 2049!')).toEqual([
      { token: 'the', start: 0, end: 3 },
      { token: 'cafe', start: 4, end: 8 },
      { token: '2049', start: 10, end: 14 },
    ]);
  });

  it('leaves an English possessive out and splits other apostrophes', () => {
    expect(words("the user's O'Reilly l’homme")).toEqual(['the', 'user', 'o', 'reilly', 'l', 'homme']);
  });

  it('cuts scripts without spaces into overlapping pairs and the last character', () => {
    expect(words('abc東京都 京')).toEqual(['abc', '東京', '京都', '都', '京']);
    expect(tokenize('東京')).toEqual([
      { token: '東京', start: 0, end: 2 },
      { token: '京', start: 1, end: 2 },
    ]);
    expect(queryWords('東京都 京 oslo')).toEqual(['東京', '京都', '京', 'oslo']);
  });

  it('keeps marks that make another letter', () => {
    expect(words('й и')).toEqual(['й', 'и']);
    expect(words('हिन्दी')).toEqual(['हिन्दी']);
  });

  it('folds dotted and dotless i, sharp s and final sigma', () => {
    expect(words('İstanbul ısı Straße STRASSE ΟΔΟΣ οδος')).toEqual([
      'istanbul',
      'isi',
      'strasse',
      'strasse',
      'οδοσ',
      'οδοσ',
    ]);
  });

  it('drops the marks of Arabic presentation forms, whatever carries them', () => {
    expect(words('א\ufe7e ب\ufc5e كتـــاب')).toEqual(['א', 'ب', 'كتاب']);
  });

  it('survives a word of a million letters, lone surrogates and bare marks', () => {
    expect(words('x'.repeat(1_000_000))).toEqual(['x'.repeat(tokenCharactersMax)]);
    expect(words('\ud800x\udc00 y')).toEqual(['x', 'y']);
    expect(words('\u0301')).toEqual(['\u0301']);
  });

  it('finds the same words in NFC and NFD', () => {
    const latin = fc.string({ unit: fc.constantFrom(...'aeéèöñßçÅŁйёกาがｶ한 -'), maxLength: 40 });
    fc.assert(
      fc.property(latin, (text) => {
        expect(words(text.normalize('NFD'))).toEqual(words(text.normalize('NFC')));
      }),
    );
  });

  it('reads a text of ASCII only as it reads one with other characters', () => {
    const character = fc.oneof(
      fc.constantFrom(..."ab sS01'_-."),
      fc.string({ unit: 'binary-ascii', maxLength: 1, minLength: 1 }),
    );
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 60 }), (text) => {
        expect(tokenize(`${text} é`).slice(0, -1)).toEqual(tokenize(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is ordered, inside the text, and folding a folded word changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        let previous = 0;
        for (const { token, start, end } of tokenize(text)) {
          expect(start).toBeGreaterThanOrEqual(previous);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(foldWord(token)).toBe(token);
          previous = start;
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it('gives texts that filters hold equal the same words', () => {
    for (const text of ['ᾳ', 'ŉ', 'ﬁn', 'ΐ', 'ẞ', 'ſo', 'İ', 'ΑΣ', 'É', 'don\u02bct'])
      expect(words(fold(text))).toEqual(words(text));
  });
});
