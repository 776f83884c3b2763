import fc from 'fast-check';
import { toRanking } from '#server/indexes/search/to-ranking.ts';
import { SearchIndex } from '../search-index.ts';
import type { IndexedDocument, IndexSettings, Pin, SearchQuery, Synonym } from '../types.ts';
import { searchFor } from './fixtures.ts';
import { relevanceAsked } from './relevance-asked.ts';
import { typedWords } from './typed-words.ts';

/** Random collections and searches of all modes, in which words have variants, documents passages, and rules act. */

const dimension = 3;
const word = fc.constantFrom(
  'red',
  'wine',
  'old',
  'house',
  'houses',
  'river',
  'rivers',
  'stonemason',
  'stone',
  'mason',
);
const typed = typedWords(word);
const vector = fc.array(fc.integer({ min: -2, max: 2 }), { minLength: dimension, maxLength: dimension });
const textOf = (of: fc.Arbitrary<string>, most: number) =>
  fc.array(of, { minLength: 1, maxLength: most }).map((words) => words.join(' '));

export interface RandomDocument {
  source: { title?: string; text?: string; price?: number; on?: boolean };
  vectors: number[][];
}

export const randomDocument: fc.Arbitrary<RandomDocument> = fc.record({
  source: fc.record(
    {
      title: textOf(word, 3),
      text: textOf(word, 8),
      price: fc.integer({ min: 0, max: 9 }),
      on: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
  vectors: fc.array(vector, { maxLength: 3 }),
});

const fields: IndexSettings['fields'] = [
  { name: 'title', type: 'string' },
  { name: 'text', type: 'string' },
  { name: 'price', type: 'number' },
  { name: 'on', type: 'boolean' },
];

const indexed = ({ source, vectors }: RandomDocument, id: number): IndexedDocument => ({
  id: String(id),
  source: JSON.stringify({ id: String(id), ...source }),
  vectors: Float32Array.from(vectors.flat()),
  spans: Int32Array.from(vectors.flatMap((_, i) => [-1, i, i + 1])),
});

/** Their ids are `0`, `1`, …; those in `gone` are deleted again. */
export function randomIndex(documents: RandomDocument[], gone: number[]): SearchIndex {
  const index = SearchIndex.create({ dimension, metric: 'cosine', fields });
  index.apply({ version: 1, puts: documents.map(indexed), deletes: [] });
  index.apply({ version: 2, puts: [], deletes: gone.map(String) });
  return index;
}

const synonyms: Synonym[] = [
  { words: ['red'], alternatives: [['mason'], ['old', 'house']] },
  { words: ['old', 'house'], alternatives: [['river']] },
];

export const randomSearch: fc.Arbitrary<SearchQuery> = fc
  .record({
    mode: fc.constantFrom('keyword' as const, 'vector' as const, 'hybrid' as const),
    text: fc.oneof({ weight: 1, arbitrary: fc.constant('*') }, { weight: 8, arbitrary: textOf(typed, 5) }),
    fields: fc.constantFrom<SearchQuery['fields']>(
      null,
      [{ name: 'title', weight: 1 }],
      [
        { name: 'title', weight: 3.3 },
        { name: 'text', weight: 0.7 },
      ],
    ),
    vector: fc.option(
      vector.map((components) => Float32Array.from(components)),
      { freq: 6 },
    ),
    filter: fc.constantFrom(
      null,
      null,
      'price:[2..7]',
      'on:true && price:>3',
      '(title:red || on:true) && !price:4',
    ),
    ruleFilter: fc.constantFrom(null, null, null, 'price:<8'),
    sort: fc.constantFrom<SearchQuery['sort']>([], [], [{ field: 'price', descending: true }]),
    prefix: fc.boolean(),
    typosMax: fc.constantFrom(0, 1, 2),
    wordBreaks: fc.constantFrom('off' as const, 'fallback' as const, 'always' as const),
    dropTokensThreshold: fc.constantFrom(0, 1, 10),
    match: fc.constantFrom('auto' as const, 'all' as const, 'any' as const),
    k: fc.integer({ min: 1, max: 20 }),
    distanceThreshold: fc.constantFrom(null, null, 0.5),
    alpha: fc.constantFrom(0, 0.3, 0.5, 1),
    vectorTrust: fc.constantFrom(null, 1, 0.4),
    fusion: fc.constantFrom('weighted' as const, 'rrf' as const),
    stopWords: fc.constantFrom<string[] | null>(null, ['old']),
    synonyms: fc.constantFrom<Synonym[]>([], synonyms),
    excludeIds: fc.constantFrom<string[]>([], [], ['3']),
    pins: fc.oneof(
      fc.constant<Pin[]>([]),
      fc.array(fc.record({ id: fc.nat(20).map(String), position: fc.integer({ min: 1, max: 30 }) }), {
        maxLength: 4,
      }),
    ),
    ranking: fc.constantFrom(
      toRanking(),
      toRanking({ k1: 0, prefix_weight: 0, typo_weight: 0.5 }),
      toRanking({ short_query_words: 1, rrf_constant: 0, calibration_documents: 1 }),
    ),
    relevance: relevanceAsked,
  })
  .map(searchFor);
