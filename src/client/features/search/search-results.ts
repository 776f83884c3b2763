import { errorMessage } from '#client/lib/error-message.ts';
import type { TrpcClient } from '#client/lib/trpc.ts';
import type { Collection } from '#shared/collections.ts';
import type { ErrorDetail } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';
import type {
  CollectionLabel,
  EffectiveRequest,
  FacetCounts,
  MergedSearchHit,
  MultiSearchResult,
  SearchAnswer,
} from '#shared/search.ts';
import { effectiveMode, mergedRequest, pageRequest, searchRequest } from './search-request.ts';
import { hitsPerPage, type SearchState } from './search-state.ts';

/** One page of results, whether of one collection or of several. */
export interface SearchResults {
  found: number;
  /** Documents searched. */
  outOf: number;
  /** The server's time. */
  timeMs: number;
  hits: MergedSearchHit[];
  facets: FacetCounts[];
  /** Fields whose counts are within their own ticks, because the wider ones failed. */
  narrowFacets: { field: string; message: string }[];
  /** Hits in each collection that answered, the most first; of several collections only. */
  byCollection: { collection: CollectionLabel; found: number }[];
  /** What could not be searched, and why; without a name: nothing could. */
  failures: { name: string | null; message: string; details: ErrorDetail[] }[];
  request: EffectiveRequest;
}

/** One collection, with its facets; a field's own counts leave its ticked values out, so that others can be added. */
export async function searchCollection(
  client: TrpcClient,
  search: { state: SearchState; collection: Collection; facetFields: string[] },
  signal: AbortSignal,
): Promise<SearchResults> {
  const { state, collection, facetFields } = search;
  const { id, name } = collection;
  const [answer, wider] = await Promise.all([
    client.search[effectiveMode(state)].query(
      { collection: id, ...searchRequest(state, facetFields), ...pageRequest(state) },
      { signal },
    ),
    widerCounts(client, search, signal),
  ]);
  return {
    found: answer.found,
    outOf: answer.out_of,
    timeMs: answer.search_time_ms,
    // The console asks for no groups.
    hits: ('hits' in answer ? answer.hits : []).map((hit) => ({ ...hit, collection: { id, name } })),
    facets: answer.facet_counts.map(
      (facet) => wider.counts.find(({ field_name }) => field_name === facet.field_name) ?? facet,
    ),
    narrowFacets: wider.failures,
    byCollection: [],
    failures: [],
    request: answer.request,
  };
}

/**
 * The counts of each field that has ticks, as if it had none. Where they fail, the hits are shown all the same. Not by `facet_mode`: that would
 * leave out what was typed of the field, too, and offer values that lead nowhere.
 */
async function widerCounts(
  client: TrpcClient,
  { state, collection, facetFields }: Parameters<typeof searchCollection>[1],
  signal: AbortSignal,
): Promise<{ counts: FacetCounts[]; failures: SearchResults['narrowFacets'] }> {
  const ticked = facetFields.filter((field) => (state.facets[field]?.length ?? 0) > 0);
  if (ticked.length === 0) return { counts: [], failures: [] };
  const searches = ticked.map((field) => ({
    collection: collection.id,
    mode: effectiveMode(state),
    ...searchRequest(state, [field], field),
    per_page: 0,
  }));
  let results: MultiSearchResult<Pick<SearchAnswer, 'facet_counts'>>[];
  try {
    const answer = await client.search.multi.query({ searches }, { signal });
    results = 'results' in answer ? answer.results : [];
  } catch (error) {
    const message = errorMessage(error);
    return { counts: [], failures: ticked.map((field) => ({ field, message })) };
  }
  return {
    counts: results.flatMap((result) => ('error' in result ? [] : result.facet_counts)),
    failures: results.flatMap((result, i) =>
      'error' in result ? [{ field: ticked[i] ?? '', message: result.error.message }] : [],
    ),
  };
}

/** Several collections as one list, ranked by the server. */
export async function searchCollections(
  client: TrpcClient,
  search: { state: SearchState; collections: Collection[] },
  signal: AbortSignal,
): Promise<SearchResults> {
  const ids = search.collections.map(({ id }) => id);
  const names = new Map(search.collections.map(({ id, name }) => [String(id), name]));
  const answer = await client.search.multi.query(mergedRequest(search.state, ids), { signal });
  if ('results' in answer) throw new Error('The server answered each search on its own');
  return {
    found: answer.found,
    outOf: answer.out_of,
    timeMs: answer.search_time_ms,
    hits: answer.hits,
    facets: answer.facet_counts,
    narrowFacets: [],
    byCollection: answer.collection_counts,
    failures: answer.failures.map(({ reference, collection, error }) => ({
      // What is gone has no name any more on the server.
      name: collection?.name ?? names.get(reference ?? '') ?? reference,
      message: error.message,
      details: error.details ?? [],
    })),
    request: answer.request,
  };
}

/** The number of the last page that can be reached. */
export function lastPage(found: number): number {
  return Math.max(1, Math.ceil(Math.min(found, limits.pagedHitsMax) / hitsPerPage));
}
