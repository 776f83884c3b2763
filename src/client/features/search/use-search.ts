import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type TrpcClient, trpc } from '#client/lib/trpc.ts';
import { type NewestAnswer, useNewestAnswer } from '#client/lib/use-newest-answer.ts';
import type { Collection } from '#shared/collections.ts';
import { type CollectionShape, learnShape } from './collection-shape.ts';
import { type SearchResults, searchCollection, searchCollections } from './search-results.ts';
import type { SearchState } from './search-state.ts';

/** Under tRPC's own prefix, so that what invalidates searches reaches these too. */
const keyPrefix = ['search'];

interface SearchScope {
  state: SearchState;
  /** `null`: all of `collections`. */
  collection: Collection | null;
  /** The active ones in reach. */
  collections: Collection[];
}

export interface Search {
  results: NewestAnswer<SearchResults>;
  shape: UseQueryResult<CollectionShape>;
  /** Whether there is anything to ask. */
  hasWork: boolean;
}

/** The results of a state, or, while they are on their way, the newest of those before. */
export function useSearch({ state, collection, collections }: SearchScope): Search {
  const { client } = trpc.useUtils();
  const shape = useCollectionShape(collection);
  const facets = shape.data?.facets ?? [];
  const { open: _, ...asked } = state;
  const target = collection ? [collection.id, facets] : collections.map(({ id }) => id);
  const hasWork = collection
    ? collection.isActive && !shape.isPending
    : collections.length > 0 && state.q.trim() !== '';
  const results = useNewestAnswer(
    hasWork
      ? {
          key: [keyPrefix, 'page', asked, target],
          collections: collection ? [collection.id] : collections.map(({ id }) => id),
          ask: (signal) =>
            collection
              ? searchCollection(client, { state, collection, facets }, signal)
              : searchCollections(client, { state, collections }, signal),
        }
      : null,
  );
  return { results, shape, hasWork };
}

/** What a collection can be narrowed by: learned once, and again after a write. */
export function shapeQuery(client: TrpcClient, id: number) {
  return {
    queryKey: [keyPrefix, 'shape', id],
    meta: { collections: [id] },
    queryFn: ({ signal }: { signal: AbortSignal }) => learnShape(client, id, signal),
  };
}

function useCollectionShape(collection: Collection | null) {
  const { client } = trpc.useUtils();
  return useQuery({
    ...shapeQuery(client, collection?.id ?? 0),
    enabled: collection?.isActive ?? false,
  });
}
