import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { trpc } from '#client/lib/trpc.ts';
import type { Collection } from '#shared/collections.ts';
import { facetFieldsOf } from './facet-fields.ts';
import { searchAll, searchOne } from './run-search.ts';
import type { SearchState } from './search-state.ts';

/** Under tRPC's own prefix, so that `utils.search.invalidate()` reaches these too. */
const keyPrefix = ['search'];

interface SearchScope {
  state: SearchState;
  /** `null`: all of `collections`. */
  collection: Collection | null;
  /** The active ones in reach. */
  collections: Collection[];
}

/**
 * The results of the address. While the next ones load the last ones stay (`isPlaceholderData`); an answer that comes too late
 * belongs to another key and is never shown.
 */
export function useSearch({ state, collection, collections }: SearchScope) {
  const { client } = trpc.useUtils();
  const shape = useCollectionShape(collection);
  const facetFields = shape.data?.facetFields ?? [];
  const isAll = collection === null;
  const target = isAll ? collections.map(({ id }) => id) : [collection.id, ...facetFields];
  const hasWork = isAll ? collections.length > 0 && state.q.trim() !== '' : !shape.isPending;
  const results = useQuery({
    queryKey: [keyPrefix, 'page', state, target],
    queryFn: ({ signal }) =>
      collection
        ? searchOne(client, { state, collection, facetFields }, signal)
        : searchAll(client, { state, collections }, signal),
    enabled: hasWork,
    placeholderData: keepPreviousData,
  });
  return { results, sortFields: shape.data?.sortFields ?? [], hasWork };
}

/** Which fields of a collection can be ticked and sorted by: learned once, and again after a write. */
function useCollectionShape(collection: Collection | null) {
  const { client } = trpc.useUtils();
  const reference = String(collection?.id ?? 0);
  return useQuery({
    queryKey: [keyPrefix, 'shape', reference],
    queryFn: async ({ signal }) => {
      const fields = await client.collections.fields.query({ collection: reference }, { signal });
      const candidates = fields.filter(({ types }) => types[0] !== 'date').map(({ path }) => path);
      const facetFields =
        candidates.length === 0
          ? []
          : facetFieldsOf(
              await client.search.keyword.query(
                {
                  collection: reference,
                  query: '*',
                  facet_by: candidates.slice(0, 50),
                  max_facet_values: 3,
                  per_page: 0,
                },
                { signal },
              ),
            );
      const sortFields = fields
        .filter(({ types }) => types[0] === 'number' || types[0] === 'date')
        .map(({ path }) => path)
        .slice(0, 10);
      return { facetFields, sortFields };
    },
    enabled: collection !== null,
  });
}
