import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runSteps } from '../steps.ts';
import { TermDictionary } from './term-dictionary.ts';
import { lettersOf, TypoMatcher } from './typos.ts';

describe('the order of words', () => {
  const words = Array.from({ length: 3000 }, (_, i) => `w${((i * 7919) % 3000).toString(36)}`);

  it('is the same however many come before it is read, and after a compaction', () => {
    const settled = new TermDictionary();
    const late = new TermDictionary();
    for (const word of words) {
      settled.countDocument(settled.addWord(word), 1);
      runSteps(settled.settle());
      late.countDocument(late.addWord(word), 1);
    }
    const { dictionary: kept } = runSteps(settled.compacted(({ documents }) => documents > 0));
    for (const prefix of ['', 'w', 'w1', 'w2b', 'x']) {
      const expected = words.filter((word) => word.startsWith(prefix)).sort();
      for (const dictionary of [settled, late, kept])
        expect(runSteps(dictionary.wordsFrom(prefix)).map((id) => dictionary.textOf(id))).toEqual(expected);
    }
  });
});

describe('candidates for typos', () => {
  const letters = fc.constantFrom('a', 'b', 'c', 's', 'é', 'м', '日', '𝒳');
  const word = fc.string({ unit: letters, minLength: 1, maxLength: 8 });

  it('hold every word that is so near', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { maxLength: 60 }),
        word,
        fc.constantFrom(1, 2),
        (words, typed, typos) => {
          const dictionary = new TermDictionary();
          for (const each of words) dictionary.countDocument(dictionary.addWord(each), 1);
          const found = new Set(
            runSteps(dictionary.wordsLike(typed, typos)).map((id) => dictionary.textOf(id)),
          );
          const matcher = new TypoMatcher(typed, typos);
          for (const each of words)
            if (matcher.distanceTo(lettersOf(each)) <= typos) expect(found).toContain(each);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it.each([10, 1_500])('hold those with another first letter where words begin with %i letters', (count) => {
    const dictionary = new TermDictionary();
    const near = ['matrixes', 'natrixes', 'atrixes', 'amtrixes', 'xmatrixes', 'zmatrixes', 'matrixed'];
    for (const word of near) dictionary.countDocument(dictionary.addWord(word), 1);
    for (let i = 0; i < count; i += 1)
      dictionary.countDocument(dictionary.addWord(`${String.fromCodePoint(0x4e00 + i)}matrixes`), 1);
    const found = runSteps(dictionary.wordsLike('matrixes', 2)).map((id) => dictionary.textOf(id));
    expect(found).toEqual(expect.arrayContaining([...near, '一matrixes']));
    expect(new Set(found).size).toBe(found.length);
    dictionary.countDocument(dictionary.addWord('matrixeq'), 1);
    dictionary.countDocument(dictionary.addWord('qmatrixes'), 1);
    const later = runSteps(dictionary.wordsLike('matrixes', 2)).map((id) => dictionary.textOf(id));
    expect(later).toEqual(expect.arrayContaining(['matrixeq', 'qmatrixes']));
  });

  it('leave out words that no document holds any more', () => {
    const dictionary = new TermDictionary();
    const gone = dictionary.addWord('matrix');
    dictionary.countDocument(gone, 1);
    dictionary.countDocument(gone, -1);
    dictionary.countDocument(dictionary.addWord('matrox'), 1);
    for (const typos of [1, 2])
      expect(runSteps(dictionary.wordsLike('matrix', typos)).map((id) => dictionary.textOf(id))).toEqual([
        'matrox',
      ]);
  });
});
