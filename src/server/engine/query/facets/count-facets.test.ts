import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { Bitset } from '../../bits/bitset.ts';
import { runSteps } from '../../steps.ts';
import { longestStep } from '../../testing/longest-step.ts';
import type { EngineFacet, FacetRequest } from '../../types.ts';
import { TooDearError, WorkBudget } from '../../work-budget.ts';
import { ColumnStore } from '../columns/column-store.ts';
import { countFacets, type FacetQuestion } from './count-facets.ts';

function facetsOf(
  candidates: Bitset,
  facets: FacetRequest[],
  columns: ColumnStore,
  more: Partial<FacetQuestion> = {},
): EngineFacet[] {
  return runSteps(
    countFacets(candidates, { facets, facetQuery: null, facetValuesMax: 10, ...more }, columns),
  );
}

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

test('counts are what counting documents one by one gives', () => {
  fc.assert(
    fc.property(fc.array(document, { maxLength: 40 }), fc.array(fc.nat(39)), (documents, chosen) => {
      const columns = new ColumnStore([]);
      for (const [ordinal, each] of documents.entries()) runSteps(columns.add(ordinal, each));
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
      const answer = facetsOf(candidates, requests, columns, { facetValuesMax: 100 });
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
      const few = facetsOf(candidates, requests, columns, { facetValuesMax: 2 });
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
  for (let i = 0; i < 1_000; i++) runSteps(columns.add(i, { tags: [`t${i % 3}`, `u${i % 5}`] }));
  const few = new Bitset(1_000);
  for (const ordinal of [0, 3, 7, 999]) few.add(ordinal);
  expect(facetsOf(few, [{ field: 'tags', ranges: [] }], columns, { facetValuesMax: 3 })[0]?.counts).toEqual([
    { value: 't0', count: 3 },
    { value: 't1', count: 1 },
    { value: 'u0', count: 1 },
  ]);
});

test('a declared date is counted as it was written, or as Unix seconds', () => {
  const columns = new ColumnStore([{ name: 'sold', type: 'date' }]);
  runSteps(columns.add(0, { sold: '2024-01-01' }));
  runSteps(columns.add(1, { sold: 1_704_067_200 }));
  runSteps(columns.add(2, { sold: 1_704_067_200 }));
  const all = new Bitset(3).fill(3);
  const requests = [
    { field: 'sold', ranges: [{ label: 'new year', from: 1_704_067_200, to: 1_704_067_201 }] },
    { field: 'sold', ranges: [] },
  ];
  const [ranged, plain] = facetsOf(all, requests, columns);
  expect(ranged?.counts).toEqual([{ value: 'new year', count: 3 }]);
  expect(plain?.counts).toEqual([
    { value: '1704067200', count: 2 },
    { value: '2024-01-01', count: 1 },
  ]);
});

describe('facet_query', () => {
  const columns = new ColumnStore([]);
  const brands = ['Acme & Söhne', 'acme <b>', 'Big Acme', 'Macme', 'Cafe\u0301 Noir', 'Straße'];
  for (const [ordinal, brand] of brands.entries()) runSteps(columns.add(ordinal, { brand, kind: 'a tool' }));
  const all = new Bitset(brands.length).fill(brands.length);
  const requests = [
    { field: 'brand', ranges: [] },
    { field: 'kind', ranges: [] },
  ];
  const asked = (facetQuery: string, field = 0) =>
    facetsOf(all, requests, columns, { facetQuery })[field]?.counts.map(({ highlighted }) => highlighted);

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

  test('sees through accents, word by word', () => {
    expect(asked('cafe no')).toEqual(['<mark>Cafe\u0301 No</mark>ir']);
    expect(asked('brand:sohne')).toEqual(['Acme &amp; <mark>Söhne</mark>']);
    expect(asked('noir cafe')).toEqual([]);
  });

  test('allows typos where nothing else is found', () => {
    const near = (facetQuery: string, typosMax = 2) =>
      facetsOf(all, requests, columns, { facetQuery, typosMax })[0]?.counts.map(
        ({ highlighted }) => highlighted,
      );
    expect(near('brand:strsse')).toEqual(['<mark>Straße</mark>']);
    expect(near('brand:Acne')).toEqual([
      '<mark>Acme</mark> &amp; Söhne',
      'Big <mark>Acme</mark>',
      '<mark>acme</mark> &lt;b&gt;',
    ]);
    // A beginning with a typo, of the last word alone.
    expect(near('brand:bug acm')).toEqual([]);
    expect(near('brand:cafe niir')).toEqual(['<mark>Cafe\u0301 Noir</mark>']);
    expect(near('brand:Acne', 0)).toEqual([]);
    // What is found as it is typed leaves no room for what only resembles it.
    expect(near('brand:macm')).toEqual(['<mark>Macm</mark>e']);
  });

  test('asks the named field only, or all of them', () => {
    expect(asked('brand:ac', 1)).toEqual([undefined]);
    expect(asked('to', 1)).toEqual(['a <mark>to</mark>ol']);
    expect(asked('nobody:ac')).toEqual([]);
    expect(asked('')).toHaveLength(6);
  });
});

describe('ranges', () => {
  const columns = new ColumnStore([]);
  const documents = [[1, 5], [3], [2, 3, 4], [], ['2024-01-01'], [5, '1970-01-01T00:00:03Z'], [0]];
  for (const [ordinal, n] of documents.entries()) runSteps(columns.add(ordinal, { n }));
  const all = new Bitset(documents.length).fill(documents.length);
  const bound = fc.option(fc.integer({ min: -1, max: 6 }));

  test('of any number count each document once, whatever its values and their types', () => {
    const range = fc.record({ from: bound, to: bound });
    fc.assert(
      fc.property(fc.array(range, { minLength: 1, maxLength: 20 }), (bounds) => {
        const ranges = bounds.map((each, i) => ({ label: String(i), ...each }));
        const [facet] = facetsOf(all, [{ field: 'n', ranges }], columns, { facetValuesMax: 100 });
        const seconds = (value: unknown) =>
          typeof value === 'string' ? Date.parse(value) / 1_000 : Number(value);
        const expected = ranges.map(({ label, from, to }) => ({
          value: label,
          count: documents.filter((values) =>
            values.map(seconds).some((n) => n >= (from ?? -1e99) && n < (to ?? 1e99)),
          ).length,
        }));
        const sorted = (counts: { value: string; count: number }[]) =>
          counts.toSorted((a, b) => Number(a.value) - Number(b.value));
        expect(sorted(facet?.counts ?? [])).toEqual(expected.filter(({ count }) => count > 0));
      }),
      { numRuns: 500 },
    );
  });
});

test('a short text that reads as a long one is shown is counted with it', () => {
  const long = 'a'.repeat(300);
  const label = `${'a'.repeat(64)}…`;
  const columns = new ColumnStore([]);
  const texts = [long, label, 'b…', long, 'b'];
  for (const [i, text] of texts.entries()) runSteps(columns.add(i, { text }));
  const all = new Bitset(texts.length).fill(texts.length);
  const asked = { facets: [{ field: 'text', ranges: [] }], facetQuery: null, facetValuesMax: 10 };
  const [facet] = runSteps(countFacets(all, asked, columns));
  expect(facet?.counts).toEqual([
    { value: label, count: 3 },
    { value: 'b', count: 1 },
    { value: 'b…', count: 1 },
  ]);
});

test('very many values are looked through with pauses, also where one of them is long', () => {
  const size = 60_000;
  const columns = new ColumnStore([]);
  for (let i = 0; i < size; i += 1)
    runSteps(columns.add(i, { title: i === 0 ? 'a'.repeat(300) : `film ${i}` }));
  const all = new Bitset(size).fill(size);
  const asked = { facets: [{ field: 'title', ranges: [] }], facetQuery: null, facetValuesMax: 10 };
  expect(longestStep(countFacets(all, asked, columns)).reads).toBeLessThan(100_000);
});

describe('what facets cost', () => {
  const columns = new ColumnStore([]);
  for (let i = 0; i < 4_000; i += 1) runSteps(columns.add(i, { year: 1900 + (i % 120), title: `film ${i}` }));
  const all = new Bitset(4_000).fill(4_000);

  /** Units of work. */
  function costOf(facets: FacetRequest[], units = Number.MAX_SAFE_INTEGER): number {
    const budget = new WorkBudget('facets', units);
    const spend = vi.spyOn(budget, 'spend');
    runSteps(countFacets(all, { facets, facetQuery: 'fi', facetValuesMax: 10 }, columns, budget));
    return spend.mock.calls.reduce((sum, [each]) => sum + each, 0);
  }

  const ranges = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ label: `r${i}`, from: 1900 + i, to: 1901 + i }));

  test('hardly depends on the number of ranges, and not on how often a facet is asked for', () => {
    const one = costOf([{ field: 'year', ranges: ranges(1) }]);
    expect(costOf([{ field: 'year', ranges: ranges(20) }])).toBeLessThan(1.5 * one);
    const title = { field: 'title', ranges: [] };
    expect(costOf([title])).toBe(costOf(Array.from({ length: 50 }, () => title)));
  });

  test('is refused beyond the budget', () => {
    const title = { field: 'title', ranges: [] };
    const units = costOf([title]);
    expect(() => costOf([title], units - 1)).toThrow(TooDearError);
    expect(costOf([title], units)).toBe(units);
  });
});
