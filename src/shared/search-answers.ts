import { z } from 'zod';
import { documentShape } from './documents.ts';
import { type ErrorCode, errorTable } from './errors.ts';
import { hitExplanation } from './explain.ts';
import {
  type EffectiveRequest,
  type FacetCounts,
  type GroupedAnswer,
  type HitGroup,
  type MergedSearchAnswer,
  type MultiSearchResult,
  type SearchAnswer,
  type SearchFault,
  type SearchHit,
  searchModes,
  searchSteps,
} from './search.ts';

/** What searches answer, as the API's description tells it. Answers are written by hand, as bytes; tests hold them against these. */

const errorCodes = Object.keys(errorTable) as ErrorCode[];

const fault = z
  .object({
    code: z.enum(errorCodes),
    message: z.string(),
    details: z
      .array(z.object({ path: z.string(), message: z.string(), position: z.int().exactOptional() }))
      .exactOptional(),
  })
  .meta({ id: 'SearchFault' }) satisfies z.ZodType<SearchFault>;

const highlight = z.object({
  field: z.string(),
  snippet: z.string().describe('HTML-escaped text with `<mark>` around what matched'),
  matched_tokens: z.array(z.string()),
});

export const hitShape = z
  .object({
    id: z.string(),
    document: documentShape,
    score: z.number(),
    relevance: z
      .number()
      .min(0)
      .max(1)
      .describe('How likely it is relevant, where the collection is calibrated for such searches')
      .exactOptional(),
    fits: z
      .boolean()
      .describe('Whether it fits what was asked; absent where that cannot be told')
      .exactOptional(),
    rerank_score: z
      .number()
      .describe('What the re-ranking service gives it, by which the best stand')
      .exactOptional(),
    text_match: z.number().describe('The BM25 sum, where the document matches the words').exactOptional(),
    vector_distance: z.number().exactOptional(),
    curated: z.literal(true).describe('An override has put it where it stands').exactOptional(),
    highlights: z.array(highlight),
    passage: z
      .object({ field: z.string(), start: z.int(), end: z.int() })
      .describe('What made the vector score, when the document has several passages')
      .exactOptional(),
    geo_distance_meters: z
      .record(z.string(), z.number())
      .describe('By field, how far its nearest point is from where `sort_by` sorts from')
      .exactOptional(),
    explain: hitExplanation.exactOptional(),
  })
  .meta({ id: 'SearchHit' }) satisfies z.ZodType<SearchHit>;

const facet = z
  .object({
    field_name: z.string(),
    counts: z.array(z.object({ value: z.string(), count: z.int(), highlighted: z.string().exactOptional() })),
    stats: z.object({ min: z.number(), max: z.number(), avg: z.number(), sum: z.number() }).exactOptional(),
  })
  .meta({ id: 'FacetCounts' }) satisfies z.ZodType<FacetCounts>;

export const collectionLabel = z.object({ id: z.int(), name: z.string() });

const ignored = z.array(z.string()).describe('Parts that do nothing in one list of several collections');

export const effectiveRequestShape = z
  .looseObject({
    mode: z.enum(searchModes),
    query: z.string(),
    match: z.enum(['all', 'any', 'most']).exactOptional(),
    dropped_tokens: z.array(z.string()).exactOptional(),
    corrected_tokens: z
      .array(
        z.object({
          from: z.string(),
          to: z.string(),
          known: z
            .boolean()
            .describe('True: the built-in model knows `from` as a word, so it may be meant as it was typed')
            .exactOptional(),
        }),
      )
      .describe('Words that hits hold only with typos')
      .exactOptional(),
    phrases: z.array(z.string()).describe('What every hit has in a row').exactOptional(),
    excluded: z.array(z.string()).describe('What no hit holds').exactOptional(),
    alpha: z.number().exactOptional(),
    k: z.int().exactOptional(),
    fusion: z.enum(['weighted', 'rrf']).exactOptional(),
    without_meaning: z
      .string()
      .describe('Why a hybrid search was one by words alone: what makes vectors does not answer')
      .exactOptional(),
    without_cluster: z
      .string()
      .describe(
        'Who answered in place of a search cluster that was away, or had no index that it could search: scores are those of the embedded engine',
      )
      .exactOptional(),
    without_reranking: z
      .string()
      .describe('Why the hits stand as without `rerank`: the service does not answer')
      .exactOptional(),
    synonyms: z
      .array(z.object({ id: z.string(), word: z.string(), alternatives: z.array(z.string()) }))
      .describe('Those that have widened the query: what of it, and to what')
      .exactOptional(),
    override: z
      .object({
        id: z.string(),
        replaced_query: z.string().exactOptional(),
        filter_by: z.string().exactOptional(),
        sort_by: z.string().exactOptional(),
        pinned: z.int().exactOptional(),
        hidden: z.int().exactOptional(),
        ignored: ignored.exactOptional(),
      })
      .describe('The one that acts, and what it has changed')
      .exactOptional(),
    understood: z
      .array(z.object({ phrase: z.string(), field: z.string(), filter_by: z.string() }))
      .describe('What was read as conditions, where that was asked for; `query` is what is left')
      .exactOptional(),
    rules: z
      .array(
        z.object({
          collection: collectionLabel,
          synonyms: z.array(z.string()),
          override: z.object({ id: z.string(), ignored: ignored.exactOptional() }).nullable(),
        }),
      )
      .describe('Of several collections in one list: where rules act, and which')
      .exactOptional(),
  })
  .meta({
    id: 'EffectiveRequest',
    description: 'The effective parameters, and what was done to the words',
  }) satisfies z.ZodType<EffectiveRequest>;

const page = {
  found: z.int(),
  out_of: z.int(),
  nothing_fits: z
    .literal(true)
    .describe('None of the first hits fits what was asked: they are only the closest')
    .exactOptional(),
  page: z.int(),
  per_page: z.int(),
  search_time_ms: z.number(),
  timings: z
    .array(z.object({ step: z.enum(searchSteps), ms: z.number() }))
    .describe('What the time was spent on; of several collections in one list, the sums of what each took'),
};

const nextCursor = z
  .string()
  .nullable()
  .describe('Where a cursor was given: the next page’s, or null behind the last one')
  .exactOptional();
const queryId = z.string().describe('By which clicks and conversions are told').exactOptional();
const aroundHits = {
  query_id: queryId,
  ...page,
  facet_counts: z.array(facet),
  request: effectiveRequestShape,
  next_cursor: nextCursor,
};

export const searchAnswerShape = z
  .object({ ...aroundHits, hits: z.array(hitShape) })
  .meta({ id: 'SearchAnswer' }) satisfies z.ZodType<SearchAnswer>;

const groupValue = z.union([z.string(), z.number(), z.boolean()]);
export const hitGroup = z
  .object({
    group_key: z
      .array(z.union([groupValue, z.array(groupValue), z.null()]))
      .describe('By field: the value, several of them, or null where the documents have none'),
    found: z.int().describe('Documents of the group, shown or not'),
    hits: z.array(hitShape),
  })
  .meta({ id: 'HitGroup' }) satisfies z.ZodType<HitGroup>;

const groupedAnswer = z.object({ ...aroundHits, found_docs: z.int(), grouped_hits: z.array(hitGroup) }).meta({
  id: 'GroupedAnswer',
  description: 'With `group_by`: `found` and pages count groups',
}) satisfies z.ZodType<GroupedAnswer>;

/** Of a search that may group its hits. */
export const searchOutput = z.union([searchAnswerShape, groupedAnswer]);

const mergedAnswer = z
  .object({
    ...page,
    hits: z.array(hitShape.extend({ collection: collectionLabel })),
    facet_counts: z.array(facet),
    collection_counts: z
      .array(z.object({ collection: collectionLabel, found: z.int(), out_of: z.int(), query_id: queryId }))
      .describe('Of each collection that answered; the most hits first, then by id'),
    failures: z
      .array(
        z.object({
          search: z.int().describe('Which of `searches`, from 0'),
          reference: z.string().nullable().describe('As it was named; null: the whole search failed'),
          collection: collectionLabel.exactOptional(),
          error: fault,
        }),
      )
      .describe('What could not be searched'),
    request: effectiveRequestShape,
  })
  .meta({ id: 'MergedSearchAnswer' }) satisfies z.ZodType<MergedSearchAnswer>;

const result = z.union([searchAnswerShape, groupedAnswer, z.object({ error: fault })]) satisfies z.ZodType<
  MultiSearchResult<SearchAnswer | GroupedAnswer>
>;

/** A result a search, or with `merge` one list over all. */
export const multiSearchShape = z.union([z.object({ results: z.array(result) }), mergedAnswer]);
