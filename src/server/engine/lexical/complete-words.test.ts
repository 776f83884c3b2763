import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runSteps } from '../steps.ts';
import { longestStep } from '../testing/longest-step.ts';
import { stopWords } from '../text/stop-words.ts';
import { completeWords } from './complete-words.ts';
import { TermDictionary } from './term-dictionary.ts';
import { lettersOf, TypoMatcher, typosAllowed } from './typos.ts';

/** Each word as often as documents hold it. */
function dictionaryOf(words: Iterable<[word: string, documents: number]>): TermDictionary {
  const dictionary = new TermDictionary();
  for (const [word, documents] of words) {
    const id = dictionary.addWord(word);
    for (let i = 0; i < documents; i += 1) dictionary.countDocument(id, 1);
  }
  return dictionary;
}

const complete = (dictionary: TermDictionary, prefix: string, { typosMax = 2, limit = 5 } = {}) =>
  runSteps(completeWords(dictionary, { prefix, typosMax, limit }));
const wordsOf = (...given: Parameters<typeof complete>) => complete(...given).map(({ word }) => word);

const films = dictionaryOf([
  ['star', 9],
  ['stars', 4],
  ['stalker', 4],
  ['station', 7],
  ['the', 50],
  ['there', 1],
  ['robot', 3],
  ['robots', 8],
  ['s', 100],
  ['gone', 0],
]);

describe('an unfinished word', () => {
  it('becomes the words that most documents hold, of those alike by code point', () => {
    expect(complete(films, 'sta')).toEqual([
      { word: 'star', documents: 9 },
      { word: 'station', documents: 7 },
      { word: 'stalker', documents: 4 },
      { word: 'stars', documents: 4 },
    ]);
    expect(wordsOf(films, 'sta', { limit: 2 })).toEqual(['star', 'station']);
  });

  it('becomes no stop word, no single letter and no word that is gone', () => {
    expect(wordsOf(films, 'th')).toEqual([]);
    expect(wordsOf(films, 's', { limit: 1 })).toEqual(['star']);
    expect(wordsOf(films, 'gon')).toEqual([]);
    expect(wordsOf(films, '', { limit: 2 })).toEqual(['star', 'robots']);
  });

  it('is read with typos where no word begins so', () => {
    expect(wordsOf(films, 'rboo')).toEqual(['robots', 'robot']);
    expect(wordsOf(films, 'rxxo')).toEqual([]);
    expect(wordsOf(films, 'robto')).toEqual(['robots', 'robot']);
    expect(wordsOf(films, 'statoi')).toEqual(['station']);
    expect(wordsOf(films, 'robto', { typosMax: 0 })).toEqual([]);
  });

  it('is completed as by looking at every word', () => {
    const word = fc.string({
      unit: fc.constantFrom('a', 'b', 'c', 's', 'é', '日', '𝒳'),
      minLength: 1,
      maxLength: 9,
    });
    const words = fc.uniqueArray(fc.tuple(word, fc.nat(3)), { maxLength: 60, selector: ([each]) => each });
    fc.assert(
      fc.property(words, word, fc.nat(2), fc.integer({ min: 1, max: 8 }), (held, prefix, typosMax, limit) => {
        const found = complete(dictionaryOf(held), prefix, { typosMax, limit });
        expect(found).toEqual(plainCompletions(held, prefix, { typosMax, limit }));
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads no more than the words with its first letter, in steps', () => {
    const size = 20_000;
    const word = (i: number) => `${i % 10 === 0 ? 'm' : 'x'}${(i * 7_919).toString(36)}`;
    const many = dictionaryOf(Array.from({ length: size }, (_, i) => [word(i), 1]));
    // Words that were added are put in order once.
    runSteps(many.wordsFrom(''));
    for (const prefix of ['m', 'm1', 'mzzz']) {
      const { reads, steps } = longestStep(completeWords(many, { prefix, typosMax: 2, limit: 8 }));
      expect(reads, prefix).toBeLessThan(200_000);
      expect(steps).toBeLessThan(100);
    }
  });
});

type Held = [word: string, documents: number][];

function plainCompletions(
  held: Held,
  prefix: string,
  { typosMax, limit }: { typosMax: number; limit: number },
): { word: string; documents: number }[] {
  const most = typosAllowed(prefix, typosMax);
  const begun = held.filter(([word]) => word.startsWith(prefix));
  const exact = listOf(begun, limit);
  if (exact.length > 0 || most === 0) return exact;
  const [first = ''] = prefix;
  const alike = held.filter(([word, documents]) => documents > 0 && word.startsWith(first));
  const nearest = Math.min(...alike.map(([word]) => plainDistance(prefix, word, most)));
  if (nearest > most) return [];
  return listOf(
    alike.filter(([word]) => plainDistance(prefix, word, most) === nearest),
    limit,
  );
}

/** Of any beginning of the word. */
function plainDistance(prefix: string, word: string, most: number): number {
  const letters = [...word];
  const beginnings = letters.map((_, i) => letters.slice(0, i + 1).join(''));
  const matcher = new TypoMatcher(prefix, most);
  return Math.min(...beginnings.map((beginning) => matcher.distanceTo(lettersOf(beginning))));
}

function listOf(held: Held, limit: number): { word: string; documents: number }[] {
  return held
    .filter(([word, documents]) => documents > 0 && Buffer.byteLength(word) > 1 && !stopWords.has(word))
    .sort(([a, m], [b, n]) => n - m || Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .slice(0, limit)
    .map(([word, documents]) => ({ word, documents }));
}
