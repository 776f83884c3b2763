import type { TrpcClient } from '#client/lib/trpc.ts';
import type { Collection } from '#shared/collections.ts';
import type { ErrorDetail } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';
import type {
  EffectiveRequest,
  FacetCounts,
  MultiSearchResult,
  SearchAnswer,
  SearchHit,
} from '#shared/search.ts';
import { effectiveMode, searchRequest } from './search-request.ts';
import { hitsPerPage, type SearchState } from './search-state.ts';

export interface ResultHit extends SearchHit {
  collection: Collection;
}

/** One page of results, whether of one collection or of all. */
export interface SearchResults {
  found: number;
  /** Documents searched. */
  outOf: number;
  /** The server's time; of all collections together. */
  timeMs: number;
  hits: ResultHit[];
  facets: FacetCounts[];
  /** Hits in each collection that answered, the most first; of all collections together only. */
  byCollection: { collection: Collection; found: number }[];
  /** Collections that could not be searched, and why. */
  failures: { collection: Collection; message: string; details: ErrorDetail[] }[];
  /** What the server did with the words; of one collection only. */
  request: EffectiveRequest | null;
}

/** One collection, with its facets; a field's own counts leave its ticked values out, so that others can be added. */
export async function searchOne(
  client: TrpcClient,
  search: { state: SearchState; collection: Collection; facetFields: string[] },
  signal: AbortSignal | undefined,
): Promise<SearchResults> {
  const { state, collection, facetFields } = search;
  const mode = effectiveMode(state);
  const own = { collection: String(collection.id) };
  const options = signal ? { signal } : {};
  const ticked = facetFields.filter((field) => (state.facets[field]?.length ?? 0) > 0);
  const [answer, counts] = await Promise.all([
    client.search[mode].query({ ...own, ...searchRequest(state, facetFields) }, options),
    ticked.length === 0
      ? null
      : client.search.multi.query(
          {
            searches: ticked.map((field) => ({
              ...own,
              mode,
              ...searchRequest({ ...state, page: 1 }, [field], field),
              per_page: 0,
            })),
          },
          options,
        ),
  ]);
  const results = counts && 'results' in counts ? counts.results : [];
  const wider = results.flatMap((result) => ('error' in result ? [] : result.facet_counts));
  return {
    found: answer.found,
    outOf: answer.out_of,
    timeMs: answer.search_time_ms,
    hits: answer.hits.map((hit) => ({ ...hit, collection })),
    facets: answer.facet_counts.map(
      (facet) => wider.find(({ field_name }) => field_name === facet.field_name) ?? facet,
    ),
    byCollection: [],
    failures: [],
    request: answer.request,
  };
}

/** Several collections, merged by score. Pages are cut after merging, so each collection is asked for all hits up to the page's end. */
export async function searchAll(
  client: TrpcClient,
  search: { state: SearchState; collections: Collection[] },
  signal: AbortSignal | undefined,
): Promise<SearchResults> {
  const { state, collections } = search;
  const end = Math.min(state.page * hitsPerPage, limits.perPageMax);
  const searches = collections.map(({ id }) => ({
    collection: String(id),
    mode: effectiveMode(state),
    ...searchRequest({ ...state, page: 1, facets: {}, sort: '' }, []),
    per_page: end,
  }));
  const batches: (typeof searches)[] = [];
  for (let i = 0; i < searches.length; i += limits.multiSearchMax) {
    batches.push(searches.slice(i, i + limits.multiSearchMax));
  }
  const answers = await Promise.all(
    batches.map((batch) => client.search.multi.query({ searches: batch }, signal ? { signal } : {})),
  );
  return mergeResults(
    collections,
    answers.flatMap((answer) => ('results' in answer ? answer.results : [])),
    state.page,
  );
}

/** `results` are in the collections' order. Equal scores: the earlier collection first, then by the collection's own order. */
export function mergeResults(
  collections: Collection[],
  results: MultiSearchResult[],
  page: number,
): SearchResults {
  const answered: { collection: Collection; answer: SearchAnswer }[] = [];
  const failures: SearchResults['failures'] = [];
  collections.forEach((collection, i) => {
    const result = results[i];
    if (!result) return;
    if ('error' in result)
      failures.push({ collection, message: result.error.message, details: result.error.details ?? [] });
    else answered.push({ collection, answer: result });
  });
  const hits = answered
    .flatMap(({ collection, answer }) => answer.hits.map((hit) => ({ ...hit, collection })))
    .toSorted((a, b) => b.score - a.score);
  const total = (read: (answer: SearchAnswer) => number) =>
    answered.reduce((sum, { answer }) => sum + read(answer), 0);
  return {
    found: total((answer) => answer.found),
    outOf: total((answer) => answer.out_of),
    timeMs: total((answer) => answer.search_time_ms),
    hits: hits.slice((page - 1) * hitsPerPage, page * hitsPerPage),
    facets: [],
    byCollection: answered
      .map(({ collection, answer }) => ({ collection, found: answer.found }))
      .toSorted((a, b) => b.found - a.found),
    failures,
    request: null,
  };
}

/** The last page that can be reached. */
export function pagesOf(found: number, isAll: boolean): number {
  const reachable = Math.min(found, isAll ? limits.perPageMax : limits.pagedHitsMax);
  return Math.max(1, Math.ceil(reachable / hitsPerPage));
}
