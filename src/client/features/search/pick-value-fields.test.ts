// @vitest-environment node
import { expect, it } from 'vitest';
import type { FacetCounts } from '#shared/search.ts';
import { pickValueFields } from './pick-value-fields.ts';

function facet(field: string, counts: Record<string, number>): FacetCounts {
  return { field_name: field, counts: Object.entries(counts).map(([value, count]) => ({ value, count })) };
}

it('offers what parts a collection into groups, the largest groups first, its values in a lasting order', () => {
  const facets = [facet('brand', { Acme: 12 }), facet('genre', { Noir: 60, Comedy: 30 })];
  expect(pickValueFields({ facets, outOf: 100 })).toEqual([
    { kind: 'values', path: 'genre', order: ['Noir', 'Comedy'] },
    { kind: 'values', path: 'brand', order: ['Acme'] },
  ]);
});

it('leaves out what nearly every document has for itself, prose, and what documents are called by', () => {
  const facets = [
    facet('serial', { a1: 1, a2: 1 }),
    facet('rare', { one: 2 }),
    facet('nothing', {}),
    facet('text', { ['a long sentence '.repeat(5)]: 500 }),
    // 906 of 8,000 artworks are called one of two names.
    facet('title', { Untitled: 700, '[title not known]': 206 }),
    facet('caption', { none: 300, one: 1, two: 1, three: 1 }),
  ];
  expect(pickValueFields({ facets, outOf: 1_000 })).toEqual([]);
});
