import fc from 'fast-check';
import { toRanking } from '#server/indexes/search/to-ranking.ts';
import { SearchIndex } from '../search-index.ts';
import type { IndexedDocument, IndexSettings, Pin, SearchQuery, Synonym } from '../types.ts';
import { searchFor } from './fixtures.ts';
import { relevanceAsked } from './relevance-asked.ts';

/** Small indexes and searches in them of every kind, for properties that hold of all. */

const dimension = 4;
const word = fc.constantFrom('red', 'wine', 'old', 'house', 'river', 'houses', 'reds', 'stone');
const component = fc.integer({ min: -2, max: 2 });

/** On both sides of the date line, at a pole, and some that are near each other. */
const place = fc.constantFrom<Place>([48, 16], [48.1, 16], [-1, 179.9], [0, -179.9], [90, 30], [0, 0]);

type Place = [lat: number, lng: number];

export interface Source {
  title?: string;
  tags?: string[];
  price?: number;
  on?: boolean;
  at?: { lat: number; lng: number } | Place | Place[];
}

export interface Given {
  source: Source;
  vectors: number[][];
}

export const given: fc.Arbitrary<Given> = fc.record({
  source: fc.record(
    {
      title: fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' ')),
      tags: fc.array(fc.constantFrom('a', 'b', 'A b'), { maxLength: 3 }),
      price: fc.integer({ min: 0, max: 9 }),
      on: fc.boolean(),
      at: fc.oneof(
        place,
        place.map(([lat, lng]) => ({ lat, lng })),
        fc.array(place, { maxLength: 3 }),
      ),
    },
    { requiredKeys: [] },
  ),
  vectors: fc.array(fc.array(component, { minLength: dimension, maxLength: dimension }), { maxLength: 2 }),
});

/** Filters, and what is left of each without the conditions that are a field's own. */
export const filters: { text: string | null; without: Record<string, string | null> }[] = [
  { text: null, without: {} },
  { text: 'price:[2..7]', without: { price: null } },
  { text: 'tags:=b || on:true', without: {} },
  { text: '!tags:b', without: { tags: null } },
  { text: 'title:red', without: {} },
  { text: 'price:*', without: { price: null } },
  { text: 'price:>9', without: { price: null } },
  { text: 'tags:=b && price:[2..7]', without: { tags: 'price:[2..7]', price: 'tags:=b' } },
  {
    text: '(price:<3 || price:>7) && on:true',
    without: { price: 'on:true', on: 'price:<3 || price:>7' },
  },
  {
    text: 'price:>1 && (tags:=a || on:true) && price:<9',
    without: { price: 'tags:=a || on:true' },
  },
  {
    text: 'on:true && (tags:=a && !price:3)',
    without: { on: 'tags:=a && !price:3', tags: 'on:true && !price:3', price: 'on:true && tags:=a' },
  },
  { text: 'at:(48, 16, 20 km) || price:>5', without: {} },
  {
    text: '!at:(0, 180, 500 km) && price:[2..7]',
    without: { price: '!at:(0, 180, 500 km)', at: 'price:[2..7]' },
  },
  { text: 'at:(-5, 175, 5, 175, 5, -175, -5, -175)', without: { at: null } },
];

export const query: fc.Arbitrary<SearchQuery> = fc.record({
  mode: fc.constantFrom('keyword' as const, 'vector' as const, 'hybrid' as const),
  text: fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom('', '*') },
    { weight: 4, arbitrary: fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')) },
  ),
  fields: fc.constantFrom(null, [{ name: 'title', weight: 1 }]),
  vector: fc.option(
    fc
      .array(component, { minLength: dimension, maxLength: dimension })
      .map((components) => Float32Array.from(components)),
  ),
  filter: fc.constantFrom(...filters.map(({ text }) => text)),
  sort: fc.constantFrom<SearchQuery['sort']>(
    [],
    [{ field: 'price', descending: true }],
    [{ field: 'at', descending: false, from: { lat: 0, lng: -179 } }],
    [
      { field: 'at', descending: true, from: { lat: 48, lng: 16 } },
      { field: 'id', descending: true },
    ],
    [
      { field: 'on', descending: false },
      { field: '_score', descending: true },
    ],
    [{ field: '_vector_distance', descending: false }],
    [{ field: 'title', descending: false }],
    [
      { field: 'tags', descending: true },
      { field: 'id', descending: true },
    ],
  ),
  facets: fc.constant([
    { field: 'tags', ranges: [] },
    { field: 'price', ranges: [] },
    { field: 'on', ranges: [] },
    {
      field: 'price',
      ranges: [
        { label: 'low', from: 0, to: 5 },
        { label: 'high', from: 5, to: null },
      ],
    },
  ]),
  facetQuery: fc.constant(null),
  facetValuesMax: fc.constant(1_000),
  areFacetsDisjunctive: fc.constant(false),
  group: fc.constant(null),
  walk: fc.constant(null),
  offset: fc.constant(0),
  limit: fc.integer({ min: 1, max: 12 }),
  prefix: fc.boolean(),
  typosMax: fc.constantFrom(0, 2),
  wordBreaks: fc.constantFrom('off' as const, 'fallback' as const, 'always' as const),
  dropTokensThreshold: fc.constantFrom(0, 1, 10),
  match: fc.constantFrom('auto' as const, 'all' as const, 'any' as const),
  k: fc.integer({ min: 1, max: 30 }),
  isExact: fc.boolean(),
  metric: fc.constant(null),
  distanceThreshold: fc.constantFrom(null, 0.5),
  alpha: fc.constantFrom(0, 0.5, 1),
  vectorTrust: fc.constantFrom(null, 1, 0.4, 0),
  fusion: fc.constantFrom('weighted' as const, 'rrf' as const),
  highlightFields: fc.constant(null),
  excludeIds: fc.constantFrom([], ['3', 'nobody']),
  ruleFilter: fc.constantFrom(null, null, 'price:<8', 'on:true'),
  stopWords: fc.constantFrom(null, ['old']),
  synonyms: fc.constantFrom<Synonym[]>(
    [],
    [
      { words: ['red'], alternatives: [['stone'], ['old', 'house']] },
      { words: ['old', 'house'], alternatives: [['river']] },
    ],
  ),
  pins: fc.oneof(
    fc.constant<Pin[]>([]),
    fc.array(
      fc.record({
        id: fc.nat(32).map(String),
        position: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constant(99)),
      }),
      { maxLength: 6 },
    ),
  ),
  ranking: fc.constantFrom(
    searchFor({}).ranking,
    toRanking({ k1: 0, rrf_constant: 0, short_query_words: 1 }),
  ),
  relevance: relevanceAsked,
});

/** Declared, so that filters name known fields whatever the documents have. */
const fields: IndexSettings['fields'] = [
  { name: 'title', type: 'string' },
  { name: 'tags', type: 'string' },
  { name: 'price', type: 'number' },
  { name: 'on', type: 'boolean' },
  { name: 'nothing', type: 'string' },
  { name: 'at', type: 'geopoint' },
];

export const documentOf = ({ source, vectors }: Given, id: number): IndexedDocument => ({
  id: String(id),
  source: JSON.stringify({ id: String(id), ...source }),
  vectors: Float32Array.from(vectors.flat()),
  spans: Int32Array.from(vectors.flatMap(() => [-1, 0, 0])),
});

/** Some documents replaced and some deleted, so that there are tombstones. */
export function indexOf(documents: Given[], again: number[], gone: number[]): SearchIndex {
  const index = SearchIndex.create({ dimension, metric: 'cosine', fields });
  index.apply({ version: 1, puts: documents.map(documentOf), deletes: [] });
  const puts = documents.flatMap((each, id) => (again.includes(id) ? [documentOf(each, id)] : []));
  index.apply({ version: 2, puts, deletes: [] });
  index.apply({ version: 3, puts: [], deletes: gone.map(String) });
  return index;
}
