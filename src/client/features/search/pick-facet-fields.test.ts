// @vitest-environment node
import { expect, it } from 'vitest';
import type { FacetCounts } from '#shared/search.ts';
import { pickFacetFields } from './pick-facet-fields.ts';

function facet(field: string, counts: Record<string, number>, isNumber = false): FacetCounts {
  return {
    field_name: field,
    counts: Object.entries(counts).map(([value, count]) => ({ value, count, highlighted: value })),
    ...(isNumber ? { stats: { min: 0, max: 9, avg: 5, sum: 100 } } : {}),
  } as FacetCounts;
}

it('offers what parts a collection into groups, the largest groups first', () => {
  const facet_counts = [
    facet('year', { 1999: 6, 2001: 5 }, true),
    facet('genre', { Noir: 60, Comedy: 30 }),
    facet('brand', { Acme: 12 }),
  ];
  expect(pickFacetFields({ facet_counts, out_of: 100 })).toEqual(['genre', 'brand', 'year']);
});

it('leaves out what every document has for itself, and prose', () => {
  const facet_counts = [
    facet('sku', { a1: 1, a2: 1 }),
    facet('price', { 10: 4, 12: 3 }, true),
    facet('rare', { one: 2 }),
    facet('nothing', {}),
    facet('text', { ['a long sentence '.repeat(5)]: 50 }),
  ];
  expect(pickFacetFields({ facet_counts, out_of: 1_000 })).toEqual([]);
});
