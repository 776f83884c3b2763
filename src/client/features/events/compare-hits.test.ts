import { expect, it } from 'vitest';
import { compareHits, comparisonSentence } from './compare-hits.ts';

const hits = (...given: [string, number | null][]) => given.map(([id, score]) => ({ id, score }));

it('says of each document what became of it, in today’s order, what is gone last', () => {
  const then = hits(['a', 3], ['b', 2], ['c', 1], ['d', 0.5]);
  const now = hits(['a', 3], ['c', 2.5], ['b', 2], ['e', 1]);
  expect(compareHits(then, now).map(({ id, change }) => `${id} ${change}`)).toEqual([
    'a same',
    'c up',
    'b down',
    'e new',
    'd gone',
  ]);
});

it('a score that is shown as another one is told, and one that only its last digits change is not', () => {
  const compared = compareHits(hits(['a', 1], ['b', 1]), hits(['a', 1.0001], ['b', 1.2]));
  expect(compared.map(({ change }) => change)).toEqual(['same', 'score']);
});

it('the same id in two collections of one list is two documents', () => {
  const twice = hits(['a', 2], ['a', 1]);
  expect(compareHits(twice, twice).map(({ change }) => change)).toEqual(['same', 'same']);
});

it('sums it up in a sentence', () => {
  const then = { found: 3, hits: hits(['a', 2], ['b', 1]) };
  const sentenceOf = (now: typeof then) => comparisonSentence(then, now, compareHits(then.hits, now.hits));
  expect(sentenceOf(then)).toBe('The answer is the same as it was.');
  expect(sentenceOf({ found: 2, hits: hits(['b', 1], ['c', 1]) })).toBe(
    '1 new, 1 gone, 1 moved, found 3 then, 2 now.',
  );
});
