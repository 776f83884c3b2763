import { z } from 'zod';
import { collectionName } from './collections.ts';
import { documentedAs } from './documented-as.ts';
import type { StoredDocument } from './documents.ts';
import type { ErrorCode, ErrorDetail } from './errors.ts';
import { limits } from './limits.ts';
import {
  fieldList,
  finiteNumber,
  flag,
  isAnything,
  isFiniteNumber,
  jsonObject,
  listOf,
  textOf,
  weightList,
  wholeNumber,
} from './parameters.ts';

export const searchModes = ['keyword', 'vector', 'hybrid'] as const;
export type SearchMode = (typeof searchModes)[number];

const vector = listOf(
  { min: 1, max: limits.dimensionMax, isItem: isFiniteNumber },
  z.array(z.number()).min(1).max(limits.dimensionMax),
);
/**
 * `vector_query`: numbers, `{vector, k, distance_threshold}`, or `"embedding:([0.1, 0.2], k:10)"`.
 * Left as it came here; the engine reads the text form, so that a fault names its position.
 */
const vectorQuery = z.union(
  [
    vector,
    z.strictObject({
      vector: vector.optional(),
      k: wholeNumber(1, limits.neighboursMax).optional(),
      distance_threshold: finiteNumber(-1e9, 1e9).optional(),
    }),
    z.string().max(limits.dimensionMax * 32),
  ],
  'must be an array of finite numbers, {vector, k, distance_threshold} or "embedding:([…], k:…)"',
);

/** All parameters of a search, the same for GET and POST and for every mode. Unknown ones are refused. */
export const searchParameters = z.strictObject({
  query: z
    .string()
    .max(limits.queryCharactersMax, `must be at most ${limits.queryCharactersMax} characters`)
    .optional(),
  /** Alias of `query`. */
  q: z.string().max(limits.queryCharactersMax).optional(),
  query_by: fieldList.optional(),
  query_by_weights: weightList.optional(),
  filter_by: z.string().max(limits.filterCharactersMax).optional(),
  sort_by: z.string().max(2_048).optional(),
  facet_by: z
    .union(
      [
        z.string().max(16_384),
        listOf(
          { max: limits.facetsMax, isItem: textOf(0, 2_048) },
          z.array(z.string().max(2_048)).max(limits.facetsMax),
        ),
      ],
      `must be a list of at most ${limits.facetsMax} fields`,
    )
    .optional(),
  facet_query: z.string().max(512).optional(),
  max_facet_values: wholeNumber(0, limits.facetValuesMax).default(10),
  per_page: wholeNumber(0, limits.perPageMax).optional(),
  page: wholeNumber(1).optional(),
  limit: wholeNumber(0, limits.perPageMax).optional(),
  offset: wholeNumber(0).optional(),
  prefix: flag.default(true),
  num_typos: wholeNumber(0, 2).default(2),
  drop_tokens_threshold: wholeNumber(0, 1_000_000).default(1),
  match: z.enum(['auto', 'all', 'any']).default('auto'),
  include_fields: fieldList.optional(),
  exclude_fields: fieldList.optional(),
  highlight_fields: fieldList.optional(),
  k: wholeNumber(1, limits.neighboursMax).optional(),
  vector_query: vectorQuery.optional(),
  alpha: finiteNumber(0, 1).default(0.5),
  fusion: z.enum(['weighted', 'rrf']).default('weighted'),
});
export type SearchParameters = z.infer<typeof searchParameters>;

export const searchInput = searchParameters.extend({ collection: collectionName });
export const similarInput = searchParameters
  .pick({
    k: true,
    filter_by: true,
    include_fields: true,
    exclude_fields: true,
    facet_by: true,
    max_facet_values: true,
  })
  .extend({ collection: collectionName, id: z.string().min(1).max(limits.documentIdBytesMax) });
const mode = z.enum(searchModes).default('keyword');
/** One search of a multi-search. */
export const multiSearchItem = searchInput.extend({ mode });
/** One search of a merge. Its hits are paged together with the others'. */
export const mergedSearchItem = searchParameters
  .omit({ page: true, per_page: true, limit: true, offset: true })
  .extend({
    mode,
    k: wholeNumber(1, limits.mergedNeighboursMax).optional(),
    collection: collectionName.optional(),
    /** Names or ids, or `*`: every active one that the caller may see. */
    collections: z
      .union(
        [
          z.literal('*'),
          documentedAs(
            listOf({ min: 1, max: limits.mergedCollectionsMax, isItem: isAnything }, z.unknown()).pipe(
              z.array(collectionName),
            ),
            z.array(collectionName).min(1).max(limits.mergedCollectionsMax),
          ),
        ],
        `must be "*" or a list of up to ${limits.mergedCollectionsMax} names or ids`,
      )
      .optional(),
  })
  .refine(
    ({ collection, collections }) => (collection === undefined) !== (collections === undefined),
    'needs either "collection" or "collections"',
  );
/** Each search is checked on its own when it runs, so that a bad one fails in its place and the rest answer. */
const search = documentedAs(jsonObject(), z.union([multiSearchItem, mergedSearchItem]));
export const multiSearchInput = z.strictObject({
  // Counted before any is looked at: thousands of bad ones would be as many faults.
  searches: documentedAs(
    z.array(z.unknown()).min(1).max(limits.multiSearchMax).pipe(z.array(search)),
    z.array(search).min(1).max(limits.multiSearchMax),
  ),
  /** One list over all searches, and its page; absent: an answer a search. */
  merge: z
    .strictObject({
      page: wholeNumber(1).default(1),
      per_page: wholeNumber(0, limits.perPageMax).default(10),
    })
    .optional(),
});

export interface Highlight {
  field: string;
  /** HTML-escaped text with `<mark>` around what matched. */
  snippet: string;
  matched_tokens: string[];
}

/** `Document`: how the server holds it; what is read from JSON has the default. */
export interface SearchHit<Document = StoredDocument> {
  id: string;
  document: Document;
  score: number;
  /** The BM25 sum, where the document matches the words. */
  text_match?: number;
  vector_distance?: number;
  highlights: Highlight[];
  /** The passage that made the vector score, when the document has several. */
  passage?: { field: string; start: number; end: number };
}

export interface FacetCounts {
  field_name: string;
  counts: { value: string; count: number; highlighted?: string }[];
  stats?: { min: number; max: number; avg: number; sum: number };
}

/** The effective parameters, and what the engine did to the words. */
export interface EffectiveRequest {
  mode: SearchMode;
  query: string;
  match?: 'all' | 'any' | 'most';
  dropped_tokens?: string[];
  corrected_tokens?: { from: string; to: string }[];
  alpha?: number;
  k?: number;
  fusion?: 'weighted' | 'rrf';
  [parameter: string]: unknown;
}

/** `Hits`, `Facets`: how the server holds them; what is read from JSON has the defaults. */
export interface SearchAnswer<Hits = SearchHit[], Facets = FacetCounts[]> {
  found: number;
  out_of: number;
  page: number;
  per_page: number;
  search_time_ms: number;
  hits: Hits;
  facet_counts: Facets;
  request: EffectiveRequest;
}

export interface SearchFault {
  code: ErrorCode;
  message: string;
  details?: ErrorDetail[];
}

/** `Answer`: how the server holds one; what is read from JSON has the default. */
export type MultiSearchResult<Answer = SearchAnswer> = Answer | { error: SearchFault };
export interface MultiSearchAnswer<Answer = SearchAnswer> {
  results: MultiSearchResult<Answer>[];
}

export interface CollectionLabel {
  id: number;
  name: string;
}

export interface MergedSearchHit extends SearchHit {
  collection: CollectionLabel;
}

/** One list over several collections. `Hit`: how the server holds one; what is read from JSON has the default. */
export interface MergedSearchAnswer<Hit = MergedSearchHit> {
  /** The sum over the collections that answered, as `out_of`. */
  found: number;
  out_of: number;
  page: number;
  per_page: number;
  search_time_ms: number;
  hits: Hit[];
  facet_counts: FacetCounts[];
  /** Of each collection that answered; the most hits first, then by id. */
  collection_counts: { collection: CollectionLabel; found: number; out_of: number }[];
  /** What could not be searched. */
  failures: MergeFailure[];
  request: EffectiveRequest;
}

export interface MergeFailure {
  /** Which of `searches`, from 0. */
  search: number;
  /** As it was named; null: the whole search failed. */
  reference: string | null;
  /** Absent where there is no such collection. */
  collection?: CollectionLabel;
  error: SearchFault;
}
