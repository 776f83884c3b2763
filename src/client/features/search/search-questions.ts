import type { TrpcClient } from '#client/lib/trpc.ts';
import type { Question } from '#client/lib/use-newest-answer.ts';
import type { Collection } from '#shared/collections.ts';
import { type FacetField, learnShape } from './collection-shape.ts';
import { type SearchResults, searchCollection, searchCollections } from './search-results.ts';
import type { SearchState } from './search-state.ts';

/** Under tRPC's own prefix, so that what invalidates searches reaches these too. */
const keyPrefix = ['search'];

export interface SearchScope {
  state: SearchState;
  /** `null`: all of `collections`. */
  collection: Collection | null;
  /** The active ones in reach. */
  collections: Collection[];
}

/** What a collection can be narrowed by: learned once, and again after a write. */
export function shapeQuery(client: TrpcClient, id: number) {
  return {
    queryKey: [keyPrefix, 'shape', id],
    meta: { collections: [id] },
    queryFn: ({ signal }: { signal: AbortSignal }) => learnShape(client, id, signal),
  };
}

/** Side by side it is the hybrid search whose weight moves. */
export function effectiveState(state: SearchState): SearchState {
  return state.view === 'compare' ? { ...state, mode: 'hybrid' } : state;
}

/** The results of a state, with the counts of `facets`; null: hits do not wait until it is known what there is to count, and are asked for again then. */
export function toQuestion(
  client: TrpcClient,
  { state, collection, collections }: SearchScope,
  facets: FacetField[] | null,
): Question<SearchResults> {
  const { open: _, ...asked } = state;
  const target = collection ? [collection.id, facets] : collections.map(({ id }) => id);
  return {
    key: [keyPrefix, 'page', asked, target],
    collections: collection ? [collection.id] : collections.map(({ id }) => id),
    ask: (signal) =>
      collection
        ? searchCollection(client, { state, collection, facets }, signal)
        : searchCollections(client, { state, collections }, signal),
  };
}
