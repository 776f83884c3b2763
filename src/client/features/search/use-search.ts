import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type TrpcClient, trpc } from '#client/lib/trpc.ts';
import type { Collection } from '#shared/collections.ts';
import { pickFacetFields } from './pick-facet-fields.ts';
import { searchCollection, searchCollections } from './search-results.ts';
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
        ? searchCollection(client, { state, collection, facetFields }, signal)
        : searchCollections(client, { state, collections }, signal),
    enabled: hasWork,
    placeholderData: keepPreviousData,
  });
  return { results, shape, hasWork };
}

/** Which fields of a collection can be ticked and sorted by: learned once, and again after a write. */
function useCollectionShape(collection: Collection | null) {
  const { client } = trpc.useUtils();
  const id = collection?.id ?? 0;
  return useQuery({
    queryKey: [keyPrefix, 'shape', id],
    queryFn: ({ signal }) => learnShape(client, id, signal),
    enabled: collection !== null,
  });
}

interface CollectionShape {
  facetFields: string[];
  sortFields: string[];
}

async function learnShape(
  client: TrpcClient,
  collection: number,
  signal: AbortSignal,
): Promise<CollectionShape> {
  const fields = await client.collections.fields.query({ collection }, { signal });
  const candidates = fields
    .filter(({ types }) => types[0] !== 'date' && types[0] !== 'geopoint')
    .map(({ path }) => path);
  const sortable = fields.filter(({ types }) => types[0] === 'number' || types[0] === 'date');
  const sortFields = sortable.map(({ path }) => path).slice(0, 10);
  if (candidates.length === 0) return { facetFields: [], sortFields };
  const answer = await client.search.keyword.query(
    { collection, query: '*', facet_by: candidates.slice(0, 50), max_facet_values: 3, per_page: 0 },
    { signal },
  );
  return { facetFields: pickFacetFields(answer), sortFields };
}
