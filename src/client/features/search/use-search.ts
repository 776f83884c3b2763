import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { trpc } from '#client/lib/trpc.ts';
import { type NewestAnswer, useNewestAnswer } from '#client/lib/use-newest-answer.ts';
import type { Collection } from '#shared/collections.ts';
import type { CollectionShape } from './collection-shape.ts';
import { type SearchScope, shapeQuery, toQuestion } from './search-questions.ts';
import type { SearchResults } from './search-results.ts';

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
  const hasWork = collection ? collection.isActive : collections.length > 0 && state.q.trim() !== '';
  const facets = shape.isPending ? null : (shape.data?.facets ?? []);
  const results = useNewestAnswer(
    hasWork ? toQuestion(client, { state, collection, collections }, facets) : null,
  );
  return { results, shape, hasWork };
}

function useCollectionShape(collection: Collection | null) {
  const { client } = trpc.useUtils();
  return useQuery({
    ...shapeQuery(client, collection?.id ?? 0),
    enabled: collection?.isActive ?? false,
  });
}
