import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '#client/lib/trpc.ts';
import type { Collection } from '#shared/collections.ts';
import { limits } from '#shared/limits.ts';

/** So long after the last key. */
const pauseMs = 200;

/** The ids of what a query finds, the best first; nothing is asked for no words. */
export function useLitDocuments({ id, isActive }: Collection, words: string) {
  const { client } = trpc.useUtils();
  const [query] = useDebouncedValue(words.trim(), pauseMs);
  return useQuery({
    queryKey: [['search'], 'map', id, query],
    queryFn: async ({ signal }) => {
      const asked = { collection: id, query, k: hitsMax, per_page: hitsMax, include_fields: ['id'] };
      const answer = await client.search.hybrid.query({ ...asked, enable_analytics: false }, { signal });
      // Groups are not asked for.
      return 'hits' in answer ? answer.hits.map((hit) => hit.id) : [];
    },
    enabled: isActive && query !== '' && words.trim() !== '',
    placeholderData: (before) => before,
  });
}

const hitsMax = Math.min(100, limits.perPageMax);
