import { z } from 'zod';
import { collectionName } from './collections.ts';
import { documentId } from './document-id.ts';
import { documentedAs } from './documented-as.ts';
import type { StoredDocument } from './documents.ts';
import type { ErrorCode, ErrorDetail } from './errors.ts';
import type { HitExplanation } from './explain.ts';
import { limits } from './limits.ts';
import { flag, isAnything, jsonObject, listOf, wholeNumber } from './parameters.ts';
import { distanceThreshold, searchParameters } from './search-parameters.ts';

export const searchModes = ['keyword', 'vector', 'hybrid'] as const;
export type SearchMode = (typeof searchModes)[number];

const enableAnalytics = flag.optional().meta({
  default: true,
  description: 'Whether the search counts in the collection’s analytics and has a `query_id`',
});

export const searchInput = searchParameters.extend({
  collection: collectionName,
  enable_analytics: enableAnalytics,
});
export const similarInput = searchParameters
  .pick({
    k: true,
    exact: true,
    explain: true,
    filter_by: true,
    include_fields: true,
    exclude_fields: true,
    facet_by: true,
    max_facet_values: true,
  })
  .extend({
    collection: collectionName,
    id: documentId,
    distance_threshold: distanceThreshold.optional(),
  });
const mode = z.enum(searchModes).default('keyword');
/** One search of a multi-search. */
export const multiSearchItem = searchInput.extend({ mode });
/** One search of a merge. Its hits are paged together with the others'. */
export const mergedSearchItem = searchParameters
  .omit({ page: true, per_page: true, limit: true, offset: true })
  .extend({
    mode,
    enable_analytics: enableAnalytics,
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
  /** 0 to 1, where the collection's relevance is calibrated for such searches. */
  relevance?: number;
  /** Absent: it cannot be told, or nothing was asked that could fit. */
  fits?: boolean;
  rerank_score?: number;
  /** The BM25 sum, where the document matches the words. */
  text_match?: number;
  vector_distance?: number;
  /** An override has put it where it stands. */
  curated?: true;
  highlights: Highlight[];
  /** The passage that made the vector score, when the document has several. */
  passage?: { field: string; start: number; end: number };
  /** By field, how far its nearest point is from where `sort_by` sorts from. */
  geo_distance_meters?: Record<string, number>;
  /** What the score is made of, where it was asked for. */
  explain?: HitExplanation;
}

export interface FacetCounts {
  field_name: string;
  counts: { value: string; count: number; highlighted?: string }[];
  stats?: { min: number; max: number; avg: number; sum: number };
}

/** A synonym that has widened a query: what of it, and to what. */
export interface ActingSynonym {
  id: string;
  word: string;
  alternatives: string[];
}

/** An override that acts on a search, and what it has changed. */
export interface ActingOverride {
  id: string;
  /** The query as it was typed, where the override has replaced it. */
  replaced_query?: string;
  filter_by?: string;
  sort_by?: string;
  /** How many documents it pins and hides, whether the search would have found them or not. */
  pinned?: number;
  hidden?: number;
  /** Parts of it that do nothing in one list of several collections. */
  ignored?: string[];
}

/** A part of a query that was read as a condition; `phrase` in `understand_skip` makes it plain words again. */
export interface UnderstoodPart {
  /** As it was typed. */
  phrase: string;
  field: string;
  /** The condition. */
  filter_by: string;
}

/** The rules of one of several collections that act on it; what they say is read from the collection. */
export interface MergedRules {
  collection: CollectionLabel;
  synonyms: string[];
  override: Pick<ActingOverride, 'id' | 'ignored'> | null;
}

/** The effective parameters, and what the engine did to the words. */
export interface EffectiveRequest {
  mode: SearchMode;
  query: string;
  match?: 'all' | 'any' | 'most';
  dropped_tokens?: string[];
  corrected_tokens?: { from: string; to: string; known?: boolean }[];
  /** What every hit has, and what none holds: the query's operators, without their marks. */
  phrases?: string[];
  excluded?: string[];
  alpha?: number;
  k?: number;
  fusion?: 'weighted' | 'rrf';
  /** Why a hybrid search was one by words alone, and who answered while a search cluster was away. */
  without_meaning?: string;
  without_cluster?: string;
  /** The synonyms that have widened the query: what of it, by which, and to what. */
  synonyms?: ActingSynonym[];
  override?: ActingOverride;
  /** What was read as conditions, where that was asked for; `query` is what is left. */
  understood?: UnderstoodPart[];
  /** Of several collections in one list: where rules act, and which. */
  rules?: MergedRules[];
  [parameter: string]: unknown;
}

/** What a search spends its time on, in the order in which it begins. */
export const searchSteps = [
  'query',
  'embedding',
  'waiting',
  'filter',
  'words',
  'vector',
  'ranking',
  'groups',
  'highlights',
  'explain',
  'facets',
  'answer',
] as const;

export interface StepTime {
  step: (typeof searchSteps)[number];
  ms: number;
}

interface AnswerAround<Facets> {
  /** By which clicks and conversions are told; absent where nothing was searched for, as by `similar`, or it shall not be counted. */
  query_id?: string;
  /** Of hits on all pages, or, where they are grouped, of groups. */
  found: number;
  out_of: number;
  /** None of the first hits fits what was asked. */
  nothing_fits?: true;
  page: number;
  per_page: number;
  search_time_ms: number;
  /** They add up to it. */
  timings: StepTime[];
  facet_counts: Facets;
  request: EffectiveRequest;
  /** Where a cursor was given; null: this was the last page. */
  next_cursor?: string | null;
}

/** `Hits`, `Facets`: how the server holds them; what is read from JSON has the defaults. */
export interface SearchAnswer<Hits = SearchHit[], Facets = FacetCounts[]> extends AnswerAround<Facets> {
  hits: Hits;
}

/** Documents with the same values in the fields that are grouped by. */
export interface HitGroup<Document = StoredDocument> {
  /** By field: the value, several of them, or null where the documents have none. */
  group_key: (string | number | boolean | (string | number | boolean)[] | null)[];
  /** Documents of the group, shown or not. */
  found: number;
  /** The best of them. */
  hits: SearchHit<Document>[];
}

/** The answer of a search with `group_by`: its pages count groups. */
export interface GroupedAnswer<Groups = HitGroup[], Facets = FacetCounts[]> extends AnswerAround<Facets> {
  found_docs: number;
  grouped_hits: Groups;
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
export interface MergedSearchAnswer<Hit = MergedSearchHit>
  // `found` and `out_of` are sums over the collections that answered; `timings` of all, which are searched side by side, so that they may be more than the time.
  extends Omit<AnswerAround<FacetCounts[]>, 'query_id' | 'next_cursor'> {
  hits: Hit[];
  /** Of each collection that answered; the most hits first, then by id. */
  collection_counts: MergedCount[];
  /** What could not be searched. */
  failures: MergeFailure[];
}

export interface MergedCount {
  collection: CollectionLabel;
  found: number;
  out_of: number;
  /** Of this collection's part: clicks on its hits are told to it. */
  query_id?: string;
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
