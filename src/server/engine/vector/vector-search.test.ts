import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { document, idsFound, indexOf, searchFor } from '../testing/fixtures.ts';
import type { Metric } from '../types.ts';

const dimension = 7;
const component = fc.integer({ min: -4, max: 4 }).map((value) => value / 2);
const vector = fc.array(component, { minLength: dimension, maxLength: dimension });
const settings = (metric: Metric) => ({ dimension, metric, fields: [] });

/** Similarity as the textbook says. */
function similarity(metric: Metric, a: number[], b: number[]): number {
  const dot = (x: number[], y: number[]) => x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
  if (metric === 'dotproduct') return dot(a, b);
  if (metric === 'euclidean') return -Math.hypot(...a.map((value, i) => value - (b[i] ?? 0)));
  const norms = Math.sqrt(dot(a, a) * dot(b, b));
  return norms === 0 ? 0 : dot(a, b) / norms;
}

describe.each(['cosine', 'euclidean', 'dotproduct'] as const)('vector search, %s', (metric) => {
  it('equals a scan of everything: best passage, k nearest, filter, threshold', () => {
    const passages = fc.array(fc.array(vector, { maxLength: 3 }), { minLength: 1, maxLength: 15 });
    fc.assert(
      fc.property(passages, vector, fc.integer({ min: 1, max: 6 }), (rows, query, k) => {
        const index = indexOf(
          rows.map((each, i) => document(String(i), { n: i % 2 }, each)),
          settings(metric),
        );
        const expected = rows
          .map((each, i) => ({
            id: String(i),
            score: Math.max(...each.map((row) => similarity(metric, query, row))),
          }))
          .filter(({ id, score }) => Number.isFinite(score) && Number(id) % 2 === 0)
          .sort((a, b) => b.score - a.score)
          .slice(0, k);
        const answer = index.search(
          searchFor({ mode: 'vector', vector: Float32Array.from(query), k, filter: 'n:=0', limit: 250 }),
        );
        expect([answer.found, answer.hits.length]).toEqual([expected.length, expected.length]);
        // Hits of equal similarity may stand in another order here than there, but not with other scores.
        answer.hits.forEach((hit, i) => {
          expect(hit.score).toBeCloseTo(expected[i]?.score ?? Number.NaN, 9);
          const distance = metric === 'cosine' ? 1 - hit.score : -hit.score;
          expect(hit.vectorDistance).toBeCloseTo(distance, 9);
        });
      }),
    );
  });
});

describe('vector search', () => {
  it('breaks ties by id', () => {
    const index = indexOf(['b', 'c', 'a', 'aa'].map((id) => document(id, {}, [[1, 1]])));
    expect(idsFound(index, { mode: 'vector', vector: Float32Array.of(1, 1), k: 3 })).toEqual([
      'a',
      'aa',
      'b',
    ]);
  });

  it('says which passage was the best of several', () => {
    const index = indexOf([
      document('a', { title: 'x', text: 'y' }, [
        [1, 0],
        [0, 1],
        [0, 2],
      ]),
      document('b', { title: 'z' }, [[0, 1]]),
    ]);
    const { hits } = index.search(searchFor({ mode: 'vector', vector: Float32Array.of(0, 1), k: 5 }));
    expect(hits.map((hit) => [hit.id, hit.passage])).toEqual([
      ['a', { field: 'title', start: 10, end: 20 }],
      ['b', null],
    ]);
  });

  it('leaves out documents without a vector, beyond the threshold, and excluded ones', () => {
    const index = indexOf([
      document('near', {}, [[1, 0.1]]),
      document('far', {}, [[0, 1]]),
      document('none', {}),
    ]);
    const query = { mode: 'vector', vector: Float32Array.of(1, 0) } as const;
    expect(idsFound(index, query)).toEqual(['near', 'far']);
    const close = index.search(searchFor({ ...query, distanceThreshold: 0.5 }));
    expect([close.found, close.hits.map((hit) => hit.id)]).toEqual([1, ['near']]);
    expect(idsFound(index, { ...query, excludeIds: ['near', 'unknown'] })).toEqual(['far']);
  });

  it('compares with each of several query vectors, of which the nearest counts', () => {
    const component = fc.integer({ min: -3, max: 3 });
    const vectors = fc.array(fc.tuple(component, component), { minLength: 1, maxLength: 4 });
    const metrics = fc.constantFrom('cosine' as const, 'euclidean' as const, 'dotproduct' as const);
    fc.assert(
      fc.property(fc.array(vectors, { maxLength: 12 }), vectors, metrics, (documents, queries, metric) => {
        const index = indexOf(
          documents.map((rows, i) => document(String(i), {}, rows)),
          { dimension: 2, metric, fields: [] },
        );
        const distancesTo = (rows: number[][]) => {
          const vector = Float32Array.from(rows.flat());
          const { hits } = index.search(searchFor({ mode: 'vector', vector, k: 20, limit: 20 }));
          return new Map(hits.map((hit) => [hit.id, hit.vectorDistance ?? 0]));
        };
        const each = queries.map((row) => distancesTo([row]));
        const nearest = documents.map((_, i) =>
          Math.min(...each.map((own) => own.get(String(i)) ?? Infinity)),
        );
        const together = distancesTo(queries);
        expect(documents.map((_, i) => together.get(String(i)))).toEqual(nearest);
      }),
      { numRuns: 100 },
    );
  });

  it('finds nothing without a query vector', () => {
    const index = indexOf([document('a', {}, [[1, 1]])]);
    expect(index.search(searchFor({ mode: 'vector', vector: null })).found).toBe(0);
  });
});
