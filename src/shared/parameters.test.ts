import { expect, test } from 'vitest';
import type { z } from 'zod';
import { limits } from './limits.ts';
import { multiSearchInput } from './search.ts';
import { searchParameters } from './search-parameters.ts';

const bad = Array.from({ length: 200_000 }, () => true);
const fields = ['vector_query', 'query_by', 'query_by_weights', 'facet_by', 'include_fields'] as const;

/** Faults that were told, at every level. */
function faultsIn(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce(
    (sum, issue) => sum + 1 + (issue.code === 'invalid_union' ? issue.errors.flat().length : 0),
    0,
  );
}

test.each(fields)('a list of 200,000 bad items in %s is a handful of faults', (field) => {
  const { error } = searchParameters.safeParse({ [field]: bad });
  expect(error?.issues[0]?.path).toEqual([field]);
  expect(faultsIn(error?.issues ?? [])).toBeLessThan(10);
});

test('so is a vector within an object, and a list of searches', () => {
  for (const result of [
    searchParameters.safeParse({ vector_query: { vector: bad } }),
    multiSearchInput.safeParse({ searches: bad }),
  ]) {
    expect(faultsIn(result.error?.issues ?? [])).toBeLessThan(10);
  }
});

test('lists are taken up to their limits', () => {
  const many = Array.from({ length: 1_001 }, (_, i) => `f${i}`);
  expect(searchParameters.safeParse({ include_fields: many.slice(1) }).success).toBe(true);
  expect(searchParameters.safeParse({ include_fields: many }).success).toBe(false);
  const vector = Array.from({ length: limits.dimensionMax + 1 }, () => 0.5);
  expect(searchParameters.safeParse({ vector_query: vector.slice(1) }).success).toBe(true);
  expect(searchParameters.safeParse({ vector_query: vector }).success).toBe(false);
  expect(searchParameters.safeParse({ vector_query: [] }).success).toBe(false);
  expect(searchParameters.safeParse({ vector_query: [Number.NaN] }).success).toBe(false);
  expect(searchParameters.safeParse({ facet_by: many.slice(0, limits.facetsMax) }).success).toBe(true);
  expect(searchParameters.safeParse({ facet_by: many.slice(0, limits.facetsMax + 1) }).success).toBe(false);
});
