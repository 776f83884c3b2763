import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ComparedKind,
  type ComparedQuery,
  comparedKinds,
  type RelevanceComparison,
} from '#shared/comparisons.ts';
import { joinComparisons } from './join-comparisons.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const query = fc.record({ before: share, after: share, kind: fc.constantFrom(...comparedKinds) });
type Query = { before: number; after: number; kind: ComparedKind };

/** As the server makes it of the queries. */
function comparisonOf(queries: Query[]): RelevanceComparison {
  const mean = (side: 'before' | 'after') => {
    const value = queries.reduce((sum, each) => sum + each[side], 0) / queries.length;
    return { ndcg: value, hitRate: value, mrr: value };
  };
  const results = queries.map(({ before, after, kind }, i): ComparedQuery => {
    const side = (ndcg: number) => ({ ndcg, rank: null, hits: [], error: null });
    const change = after - before;
    return { query: String(i), kind, change, before: side(before), after: side(after), judged: [] };
  });
  const countOf = (kind: ComparedKind) => queries.filter((each) => each.kind === kind).length;
  return {
    mode: 'hybrid',
    queries: queries.length,
    before: mean('before'),
    after: mean('after'),
    among: null,
    counts: Object.fromEntries(comparedKinds.map((kind) => [kind, countOf(kind)])) as Record<
      ComparedKind,
      number
    >,
    results,
  };
}

test('parts say together what one comparison of all would', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(query, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 }),
      (parts) => {
        const joined = joinComparisons(parts.map(comparisonOf));
        const whole = comparisonOf(parts.flat());
        expect([joined.queries, joined.counts]).toEqual([whole.queries, whole.counts]);
        expect(joined.before.ndcg).toBeCloseTo(whole.before.ndcg, 10);
        expect(joined.after.mrr).toBeCloseTo(whole.after.mrr, 10);
        const sizes = joined.results.map(({ change }) => Math.abs(change));
        expect(sizes).toEqual(whole.results.map(({ change }) => Math.abs(change)).sort((a, b) => b - a));
      },
    ),
  );
});
