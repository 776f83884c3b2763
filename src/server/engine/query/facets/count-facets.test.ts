import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Bitset } from '../../bits/bitset.ts';
import { ColumnStore } from '../columns/column-store.ts';
import { countFacets } from './count-facets.ts';

const value = fc.oneof(
  fc.constantFrom('red', 'Red', 'blue', '1', 'true'),
  fc.integer({ min: -1, max: 2 }),
  fc.boolean(),
);
const document = fc.record(
  {
    a: fc.oneof(value, fc.array(value, { maxLength: 3 })),
    s: fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 }),
    n: fc.oneof(fc.integer({ min: -2, max: 3 }), fc.array(fc.integer({ min: -2, max: 3 }), { maxLength: 3 })),
  },
  { requiredKeys: [] },
);

const ranges = [
  { label: 'low', from: null, to: 0 },
  { label: 'mid', from: 0, to: 2 },
  { label: 'wide', from: -1, to: null },
];

test('counts are what counting documents one by one gives', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(fc.array(document, { maxLength: 40 }), fc.array(fc.nat(39)), (documents, chosen) => {
      const columns = new ColumnStore([]);
      for (const [ordinal, each] of documents.entries()) columns.add(ordinal, each);
      const candidates = new Bitset(documents.length);
      for (const ordinal of chosen) if (ordinal < documents.length) candidates.add(ordinal);
      const values = documents
        .filter((_, ordinal) => candidates.has(ordinal))
        .map((each) => ({ a: distinct(each.a), s: distinct(each.s), n: distinct(each.n) }));

      const requests = [
        { field: 'a', ranges: [] },
        { field: 's', ranges: [] },
        { field: 'n', ranges: [] },
        { field: 'n', ranges },
        { field: 'unknown', ranges: [] },
      ];
      const answer = countFacets(candidates, requests, null, 100, columns);
      expect(answer.map(({ counts }) => counts)).toEqual([
        recount(values.map(({ a }) => a.map(String))),
        recount(values.map(({ s }) => s.map(String))),
        recount(values.map(({ n }) => n.map(String))),
        recount(values.map(({ n }) => labelsOf(n.map(Number)))),
        [],
      ]);
      const numbers = values.flatMap(({ n }) => n.map(Number));
      const sum = numbers.reduce((total, each) => total + each, 0);
      const count = numbers.length;
      const stats = { count, min: Math.min(...numbers), max: Math.max(...numbers), avg: sum / count, sum };
      expect(answer[2]?.stats).toEqual(count === 0 ? null : stats);
      expect(answer[1]?.stats).toBeNull();
      const few = countFacets(candidates, requests, null, 2, columns);
      expect(few.map(({ counts }) => counts)).toEqual(answer.map(({ counts }) => counts.slice(0, 2)));
    }),
    { numRuns: 500 },
  );
});

const distinct = (value: unknown): unknown[] => [...new Set(value === undefined ? [] : [value].flat())];

const labelsOf = (numbers: number[]): string[] =>
  ranges
    .filter(({ from, to }) => numbers.some((n) => n >= (from ?? -99) && n < (to ?? 99)))
    .map(({ label }) => label);

function recount(documents: string[][]): { value: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const values of documents) {
    for (const each of new Set(values)) counts.set(each, (counts.get(each) ?? 0) + 1);
  }
  return [...counts]
    .map(([each, count]) => ({ value: each, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

test('few candidates among many documents count the same as by a pass over all', () => {
  const columns = new ColumnStore([]);
  for (let i = 0; i < 1_000; i++) columns.add(i, { tags: [`t${i % 3}`, `u${i % 5}`] });
  const few = new Bitset(1_000);
  for (const ordinal of [0, 3, 7, 999]) few.add(ordinal);
  expect(countFacets(few, [{ field: 'tags', ranges: [] }], null, 3, columns)[0]?.counts).toEqual([
    { value: 't0', count: 3 },
    { value: 't1', count: 1 },
    { value: 'u0', count: 1 },
  ]);
});

test('a declared date is counted as it was written, or as Unix seconds', () => {
  const columns = new ColumnStore([{ name: 'sold', type: 'date' }]);
  columns.add(0, { sold: '2024-01-01' });
  columns.add(1, { sold: 1_704_067_200 });
  columns.add(2, { sold: 1_704_067_200 });
  const all = new Bitset(3).fill(3);
  const requests = [
    { field: 'sold', ranges: [{ label: 'new year', from: 1_704_067_200, to: 1_704_067_201 }] },
    { field: 'sold', ranges: [] },
  ];
  const [ranged, plain] = countFacets(all, requests, null, 10, columns);
  expect(ranged?.counts).toEqual([{ value: 'new year', count: 3 }]);
  expect(plain?.counts).toEqual([
    { value: '1704067200', count: 2 },
    { value: '2024-01-01', count: 1 },
  ]);
});

describe('facet_query', () => {
  const columns = new ColumnStore([]);
  const brands = ['Acme & Söhne', 'acme <b>', 'Big Acme', 'Macme', 'Cafe\u0301 Noir', 'Straße'];
  for (const [ordinal, brand] of brands.entries()) columns.add(ordinal, { brand, kind: 'a tool' });
  const all = new Bitset(brands.length).fill(brands.length);
  const requests = [
    { field: 'brand', ranges: [] },
    { field: 'kind', ranges: [] },
  ];
  const asked = (facetQuery: string, field = 0) =>
    countFacets(all, requests, facetQuery, 10, columns)[field]?.counts.map(({ highlighted }) => highlighted);

  test('marks the beginning of the value or of a word in it and escapes the rest', () => {
    expect(asked('brand:AC')).toEqual([
      '<mark>Ac</mark>me &amp; Söhne',
      'Big <mark>Ac</mark>me',
      '<mark>ac</mark>me &lt;b&gt;',
    ]);
    expect(asked('brand:acme &')).toEqual(['<mark>Acme &amp;</mark> Söhne']);
  });

  test('sees through case and Unicode form', () => {
    expect(asked('café')).toEqual(['<mark>Cafe\u0301</mark> Noir']);
    expect(asked('STRASS')).toEqual(['<mark>Straß</mark>e']);
  });

  test('asks the named field only, or all of them', () => {
    expect(asked('brand:ac', 1)).toEqual([undefined]);
    expect(asked('to', 1)).toEqual(['a <mark>to</mark>ol']);
    expect(asked('nobody:ac')).toEqual([]);
    expect(asked('')).toHaveLength(6);
  });
});
