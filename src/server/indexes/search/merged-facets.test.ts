import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runSteps } from '#server/engine/steps.ts';
import type { EngineFacet } from '#server/engine/types.ts';
import { mergedFacets } from './merged-facets.ts';

type Counts = EngineFacet['counts'];

/** All counts added up, then sorted, in one go. */
function plainCounts(all: Counts[], valuesMax: number): Counts {
  const sums = new Map<string, number>();
  for (const { value, count } of all.flat()) sums.set(value, (sums.get(value) ?? 0) + count);
  return [...sums]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, valuesMax);
}

const facet = (counts: Counts): EngineFacet => ({ field: 'f', counts, stats: null });

test('counts are added by value, and the first are those of all', () => {
  const value = fc.integer({ min: 0, max: 6_000 }).map(String);
  const counts = fc.array(fc.record({ value, count: fc.integer({ min: 1, max: 5 }) }), {
    maxLength: 3_000,
    size: 'max',
  });
  fc.assert(
    fc.property(fc.array(counts, { minLength: 1, maxLength: 4 }), fc.nat(300), (all, valuesMax) => {
      const [merged] = runSteps(
        mergedFacets(
          all.map((each) => [facet(each)]),
          valuesMax,
        ),
      );
      expect(merged?.counts).toEqual(plainCounts(all, valuesMax));
    }),
    { numRuns: 30 },
  );
});

test('fifty thousand values are added up with pauses', () => {
  const all = Array.from({ length: 500 }, (_, part) => [
    facet(Array.from({ length: 100 }, (__, i) => ({ value: `${part} ${i}`, count: 1 }))),
  ]);
  const steps = mergedFacets(all, 1_000);
  let pauses = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) pauses += 1;
  expect(step.value[0]?.counts).toHaveLength(1_000);
  expect(pauses).toBeGreaterThanOrEqual(48);
});
