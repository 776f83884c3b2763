import type { TrpcClient } from '#client/lib/trpc.ts';
import type { Collection } from '#shared/collections.ts';
import type { ErrorDetail } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';
import type {
  CollectionLabel,
  EffectiveRequest,
  FacetCounts,
  MergedSearchHit,
  StepTime,
} from '#shared/search.ts';
import { type FacetField, facetRequests } from './collection-shape.ts';
import { effectiveMode, explained, mergedRequest, pageRequest, searchRequest } from './search-request.ts';
import { hitsPerPage, type SearchState } from './search-state.ts';

/** One page of results, whether of one collection or of several. */
export interface SearchResults {
  /** What they are the results of. */
  of: SearchState;
  found: number;
  /** Documents searched. */
  outOf: number;
  /** None of the first hits fits what was asked, as the server tells. */
  nothingFits: boolean;
  /** The server's time. */
  timeMs: number;
  /** They add up to it; of several collections, which are searched side by side, to more. */
  timings: StepTime[];
  hits: MergedSearchHit[];
  facets: FacetCounts[];
  /** Hits in each collection that answered, the most first; of several collections only. */
  byCollection: { collection: CollectionLabel; found: number }[];
  /** What could not be searched, and why; without a name: nothing could. */
  failures: { name: string | null; message: string; details: ErrorDetail[] }[];
  request: EffectiveRequest;
}

/** One collection, with its facets; null: it is asked once more with them, and counted then. */
export async function searchCollection(
  client: TrpcClient,
  search: { state: SearchState; collection: Collection; facets: FacetField[] | null },
  signal: AbortSignal,
): Promise<SearchResults> {
  const { state, collection, facets } = search;
  const { id, name } = collection;
  const answer = await client.search[effectiveMode(state)].query(
    {
      collection: id,
      ...searchRequest(state, facetRequests(facets ?? [])),
      ...(facets === null && { enable_analytics: false }),
      ...explained(state),
      ...pageRequest(state),
    },
    { signal },
  );
  return {
    of: state,
    found: answer.found,
    outOf: answer.out_of,
    nothingFits: answer.nothing_fits ?? false,
    timeMs: answer.search_time_ms,
    timings: answer.timings,
    // The console asks for no groups.
    hits: ('hits' in answer ? answer.hits : []).map((hit) => ({ ...hit, collection: { id, name } })),
    facets: answer.facet_counts,
    byCollection: [],
    failures: [],
    request: answer.request,
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
  const { searches, merge } = mergedRequest(search.state, ids);
  const asked = searches.map((one) => ({ ...one, ...explained(search.state) }));
  const answer = await client.search.multi.query({ searches: asked, merge }, { signal });
  if ('results' in answer) throw new Error('The server answered each search on its own');
  return {
    of: search.state,
    found: answer.found,
    outOf: answer.out_of,
    nothingFits: answer.nothing_fits ?? false,
    timeMs: answer.search_time_ms,
    timings: answer.timings,
    hits: answer.hits,
    facets: answer.facet_counts,
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

/** What was searched for: what was typed without what was read as conditions; empty: all that pass are listed. */
export function searchedWords({ of, request }: Pick<SearchResults, 'of' | 'request'>): string {
  const words = of.q.trim() === '' ? '' : request.query.trim();
  return words === '*' ? '' : words;
}

/** The number of the last page that can be reached. */
export function lastPage(found: number): number {
  return Math.max(1, Math.ceil(Math.min(found, limits.pagedHitsMax) / hitsPerPage));
}

/** How many were found is said of words alone: by meaning there are as many as were asked for. */
export function hasCount({ of }: Pick<SearchResults, 'of'>): boolean {
  return effectiveMode(of) === 'keyword';
}
