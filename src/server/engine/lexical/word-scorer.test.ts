import { describe, expect, it } from 'vitest';
import { toRanking } from '#server/indexes/search/to-ranking.ts';
import { idsFound, searchFor, titles } from '../testing/fixtures.ts';

/** The shares and weights that the README names, in documents of one word each. */

const filler = (count: number): string[] => Array.from({ length: count }, () => 'filler');

/** The formula of `bm25.ts` for a document of mean length; a title counts twice. */
const idf = (documents: number, holders: number) =>
  Math.log(1 + (documents - holders + 0.5) / (holders + 0.5));
const saturation = (frequency: number) => (2 * frequency) / (2 * frequency + 1.3);

const ranking = toRanking({ whole_title_weight: 0 });

function scoresOf(documents: string[], text: string, prefix = false): Map<string, number> {
  const { hits } = titles(...documents).search(searchFor({ text, prefix, limit: 250, ranking }));
  return new Map(hits.map(({ id, score }) => [documents[Number(id)] ?? '', score]));
}

describe('a word that nobody holds', () => {
  it('counts half its weight as a word one typo away, .4 of it as one two typos away', () => {
    const one = scoresOf(['elephant', ...filler(3)], 'elephont');
    expect(one.get('elephant')).toBeCloseTo(0.5 * idf(4, 1) * saturation(1), 9);
    const two = scoresOf(['eleprant', ...filler(3)], 'elephont');
    expect(two.get('eleprant')).toBeCloseTo(0.4 * idf(4, 1) * saturation(1), 9);
  });

  it('is one word with all its neighbours; where some are one typo away, two typos count half as often', () => {
    const scores = scoresOf(['elephant', 'eleprant', ...filler(4)], 'elephont');
    expect(scores.get('elephant')).toBeCloseTo(0.5 * idf(6, 2) * saturation(1), 9);
    expect(scores.get('eleprant')).toBeCloseTo(0.5 * idf(6, 2) * saturation(0.5), 9);
  });

  it('is covered whole by a word one typo away, and half by one two typos away', () => {
    // Beside "eleprant" it weighs .5 · 3.70, half of that is .92; .4 of "quartz" is .95 for 9 documents of 100, .91 for 10.
    const found = (quartzes: number) => {
      const documents = ['elephant', 'eleprant', ...Array.from({ length: quartzes }, () => 'quartz')];
      const index = titles(...documents, ...filler(100 - documents.length));
      const ids = idsFound(index, { text: 'elephont quartz', prefix: false });
      return [ids.includes('0'), ids.includes('1'), ids.length];
    };
    expect(found(9)).toEqual([true, false, 10]);
    expect(found(10)).toEqual([true, true, 12]);
  });
});

describe('a word that documents hold', () => {
  // Shares are multiples of 1/1024, so two digits of a score agree with the fractions that they stand for.
  it('adds a tenth of a frequency where it is one typo away, a twentieth where it is two', () => {
    const scores = scoresOf(['elephant', 'elephont', 'eleprent', ...filler(5)], 'elephant');
    expect(scores.get('elephant')).toBeCloseTo(idf(8, 1) * saturation(1), 9);
    expect(scores.get('elephont')).toBeCloseTo(idf(8, 1) * saturation(0.1), 2);
    expect(scores.get('eleprent')).toBeCloseTo(idf(8, 1) * saturation(0.05), 2);
  });

  it('adds a fifth of a frequency where it is the beginning of a longer word', () => {
    const scores = scoresOf(['quartz', 'quartzite', ...filler(4)], 'quartz', true);
    expect(scores.get('quartz')).toBeCloseTo(idf(6, 1) * saturation(1), 9);
    expect(scores.get('quartzite')).toBeCloseTo(idf(6, 1) * saturation(0.2), 2);
  });
});

it('a beginning that is no word itself counts in full where a word begins with it', () => {
  const scores = scoresOf(['quartzite', ...filler(4)], 'quar', true);
  expect(scores.get('quartzite')).toBeCloseTo(idf(5, 1) * saturation(1), 9);
});

it('the first 512 distinct words of a query are used, however often the others come', () => {
  const words = Array.from({ length: 513 }, (_, i) => `w${i + 1}`);
  const text = [...words, ...words].join(' ');
  const index = titles('w1', 'w21', 'w512', 'w513');
  expect(idsFound(index, { text, match: 'any', prefix: false }).toSorted()).toEqual(['0', '1', '2']);
});
