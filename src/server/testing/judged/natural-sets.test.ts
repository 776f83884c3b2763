import { describe, expect, it, test } from 'vitest';
import { indexOf } from '#server/engine/testing/fixtures.ts';
import { type CorpusRow, toDocument } from './judged-set.ts';
import { isGoodTop, measureNatural } from './measure-natural.ts';
import { naturalCollections } from './natural-sets.ts';

test.each([
  ['natural', 20],
  ['fresh', 10],
] as const)(
  'thirty queries of each sample are judged with its documents: %s, %i have no answer',
  (list, unansweredOf) => {
    const collections = naturalCollections('.', list);
    const names = ['films', 'artworks', 'products'].map((sample) => `${list}: ${sample}`);
    expect(collections.map(({ name }) => name)).toEqual(names);
    for (const { sets, unanswered, rows } of collections) {
      const [{ queries }] = sets;
      expect(new Set(queries.map(({ text }) => text)).size).toBe(30);
      expect(new Set(unanswered).size).toBe(unansweredOf);
      expect(rows.length).toBeGreaterThan(60);
      for (const { text, grades } of queries) expect(Math.max(...grades.values()), text).toBe(2);
    }
  },
);

describe('a top three is good', () => {
  const judged = new Map([
    ['a', 2],
    ['b', 2],
    ['c', 1],
  ]);
  it.each([
    ['with two that are right', ['x', 'a', 'c'], true],
    ['not with one', ['a', 'x', 'y', 'b'], false],
    ['not where the best come late', ['x', 'c', 'a'], false],
    ['not where nothing is found', [], false],
  ])('%s', (_, ids, expected) => expect(isGoodTop(ids, judged)).toBe(expected));

  it('with the only one that is as right as any', () => {
    const one = new Map([
      ['a', 2],
      ['b', 1],
    ]);
    expect(isGoodTop(['x', 'a', 'y'], one)).toBe(true);
    expect(isGoodTop(['x', 'b', 'a'], one)).toBe(false);
  });
});

test('figures are those of the lists that are found', () => {
  const rows: CorpusRow[] = ['red fox', 'red dog', 'cat'].map((title, i) => ({ _id: `${i}`, title }));
  const queries = [
    { id: 'a', text: 'red fox', grades: new Map([['0', 2]]) },
    { id: 'b', text: 'dog', grades: new Map([['2', 2]]) },
  ];
  const told = new Map<string, string[]>();
  const figures = measureNatural(
    indexOf(rows.map(toDocument)),
    { sets: [{ name: 'x', queries }], unanswered: ['lamp', 'cat'] },
    {
      settings: () => ({ match: 'any', typosMax: 0 }),
      fits: ({ hits }) => hits.length > 1 || hits[0]?.id === '2',
    },
    (query, ids) => told.set(query, ids),
  );
  expect(figures).toEqual({ queries: 2, good: 1, ndcg: 0.5, unanswered: 2, told: 1, wronglyTold: 1 });
  expect([...told]).toEqual([
    ['red fox', ['0', '1']],
    ['dog', ['1']],
  ]);
});
