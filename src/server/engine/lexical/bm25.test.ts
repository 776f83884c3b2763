import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toRanking } from '#server/indexes/search/to-ranking.ts';
import { document, indexOf, searchFor } from '../testing/fixtures.ts';
import { stopWords } from '../text/stop-words.ts';

const { k1, b } = searchFor({}).ranking;
const ranking = toRanking({ whole_title_weight: 0 });
const plain = { prefix: false, typosMax: 0, match: 'any', ranking } as const;

describe('BM25', () => {
  it('gives the scores worked out by hand', () => {
    const index = indexOf([
      document('a', { title: 'red fox', text: 'the fox ran' }),
      document('b', { title: 'dog', text: 'lazy dog slept' }),
      document('c', { title: 'red dog', text: '' }),
    ]);
    // Lengths without stop words: a 4, b 4, c 2; mean 10/3. idf(n) = ln(1 + (3 − n + .5) / (n + .5)).
    // a, "fox": n 1, tf 2: ln(1 + 2.5/1.5) · 2 / (2 + 1.3 · (.4 + .6 · 1.2))
    // a, "red": n 2, tf 1: ln(1 + 1.5/2.5) · 1 / (1 + 1.3 · (.4 + .6 · 1.2))
    // c, "red": n 2, tf 1: ln(1 + 1.5/2.5) · 1 / (1 + 1.3 · (.4 + .6 · .6))
    const fields = ['title', 'text'].map((name) => ({ name, weight: 1 }));
    const { hits } = index.search(searchFor({ ...plain, text: 'red fox', fields }));
    expect(hits.map((hit) => hit.id)).toEqual(['a', 'c']);
    expect(hits[0]?.score).toBeCloseTo((0.9808292530117262 * 2) / 3.456 + 0.4700036292457356 / 2.456, 9);
    expect(hits[1]?.score).toBeCloseTo(0.4700036292457356 / 1.988, 9);
  });

  it('counts a field as often as its weight, and no other field', () => {
    const index = indexOf([
      document('a', { title: 'fox', text: 'dog' }),
      document('b', { title: 'dog', text: 'fox fox' }),
    ]);
    const fields = [{ name: 'title', weight: 3 }];
    const { hits, found } = index.search(searchFor({ ...plain, text: 'fox', fields }));
    expect(found).toBe(1);
    // n 1 of 2, tf 3, length 3, mean 3.
    expect(hits[0]?.score).toBeCloseTo((Math.log(2) * 3) / 4.3, 9);
  });

  it('equals a plain reimplementation on any documents and weights', () => {
    const word = fc.constantFrom('ax', 'bo', 'cu', 'dy', 'the');
    const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
    const corpus = fc.array(fc.record({ title: text, text }), { minLength: 1, maxLength: 12 });
    const weights = fc.option(
      fc.record({ title: fc.integer({ min: 1, max: 4 }), text: fc.integer({ min: 1, max: 4 }) }),
    );
    fc.assert(
      fc.property(
        corpus,
        weights,
        fc.array(word, { minLength: 1, maxLength: 4 }),
        (documents, byField, query) => {
          const index = indexOf(documents.map((fields, i) => document(String(i), fields)));
          const fields = byField && Object.entries(byField).map(([name, weight]) => ({ name, weight }));
          const answer = index.search(searchFor({ ...plain, text: query.join(' '), fields, limit: 250 }));
          const expected = naiveScores(documents, byField ?? { title: 2, text: 1 }, query);
          expect(answer.found).toBe(expected.size);
          for (const hit of answer.hits) expect(hit.score).toBeCloseTo(expected.get(hit.id) ?? Number.NaN, 9);
        },
      ),
    );
  });
});

/** BM25 as the textbook says, over the words of documents whose fields are repeated by weight. */
function naiveScores(
  documents: { title: string; text: string }[],
  weights: { title: number; text: number },
  query: string[],
): Map<string, number> {
  const split = (text: string) => text.split(' ').filter((word) => word !== '');
  const repeated = (text: string, times: number) => Array.from({ length: times }, () => split(text)).flat();
  const bags = documents.map((each) => [
    ...repeated(each.title, weights.title),
    ...repeated(each.text, weights.text),
  ]);
  const lengths = bags.map((bag) => bag.filter((word) => !stopWords.has(word)).length);
  const mean = lengths.reduce((sum, length) => sum + length, 0) / bags.length || 1;
  const telling = query.filter((word) => !stopWords.has(word));
  const scores = new Map<string, number>();
  for (const word of telling.length > 0 ? telling : query) {
    const n = bags.filter((bag) => bag.includes(word)).length;
    bags.forEach((bag, i) => {
      const tf = bag.filter((each) => each === word).length;
      if (tf === 0) return;
      const share = tf / (tf + k1 * (1 - b + (b * (lengths[i] ?? 0)) / mean));
      const gain = Math.log(1 + (bags.length - n + 0.5) / (n + 0.5)) * share;
      scores.set(String(i), (scores.get(String(i)) ?? 0) + gain);
    });
  }
  return scores;
}
