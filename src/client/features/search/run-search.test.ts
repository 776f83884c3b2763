import { describe, expect, it } from 'vitest';
import { collectionRow } from '#client/testing/rows.ts';
import type { SearchAnswer } from '#shared/search.ts';
import { facetFieldsOf } from './facet-fields.ts';
import { mergeResults, pagesOf } from './run-search.ts';

const collection = (id: number) => collectionRow(id, `c${id}`);

const answer = (scores: number[], found = scores.length): SearchAnswer => ({
  found,
  out_of: 100,
  page: 1,
  per_page: 10,
  search_time_ms: 2,
  hits: scores.map((score, i) => ({ id: `${i}`, document: { id: `${i}` }, score, highlights: [] })),
  facet_counts: [],
  request: { mode: 'hybrid', query: 'x' },
});

describe('mergeResults', () => {
  it('orders the hits of all collections by score and cuts the page afterwards', () => {
    const high = Array.from({ length: 8 }, (_, i) => 1 - i / 10);
    const merged = mergeResults(
      [collection(1), collection(2)],
      [answer(high, 40), answer([0.95, 0.05], 2)],
      1,
    );
    expect(merged.hits).toHaveLength(10);
    expect(merged.hits.map(({ collection: { id } }) => id)).toEqual([1, 2, 1, 1, 1, 1, 1, 1, 1, 2]);
    expect(merged).toMatchObject({ found: 42, outOf: 200, timeMs: 4, failures: [] });
    expect(merged.byCollection.map(({ collection: { id }, found }) => [id, found])).toEqual([
      [1, 40],
      [2, 2],
    ]);
    expect(mergeResults([collection(1)], [answer(high)], 2).hits).toEqual([]);
  });

  it('keeps the answers when one collection fails, and says which', () => {
    const failed = { error: { code: 'FORBIDDEN', message: 'This collection is inactive' } } as const;
    const merged = mergeResults([collection(1), collection(2)], [failed, answer([0.5])], 1);
    expect(merged.failures).toMatchObject([
      { collection: { id: 1 }, message: 'This collection is inactive' },
    ]);
    expect(merged.hits).toHaveLength(1);
  });
});

describe('pagesOf', () => {
  it('ends where the server does', () => {
    expect([pagesOf(0, false), pagesOf(11, false), pagesOf(1e6, false), pagesOf(1e6, true)]).toEqual([
      1, 2, 1_000, 25,
    ]);
  });
});

describe('facetFieldsOf', () => {
  it('takes labels that repeat, not prose and not what each document has alone', () => {
    const counts = (values: [string, number][]) => values.map(([value, count]) => ({ value, count }));
    expect(
      facetFieldsOf({
        out_of: 100,
        facet_counts: [
          { field_name: 'genre', counts: counts([['Drama', 30]]) },
          { field_name: 'title', counts: counts([['One', 1]]) },
          { field_name: 'text', counts: counts([['a'.repeat(200), 2]]) },
          { field_name: 'nothing', counts: [] },
        ],
      }),
    ).toEqual(['genre']);
  });
});
