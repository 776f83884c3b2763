import { useQuery } from '@tanstack/react-query';
import { trpc } from './trpc.ts';

const similarMax = 8;

/** The documents that are most like one. */
export function useSimilar(at: { collection: number; id: string }) {
  const { client } = trpc.useUtils();
  return useQuery({
    queryKey: [['search'], 'similar', at],
    meta: { collections: [at.collection] },
    queryFn: ({ signal }) => client.search.similar.query({ ...at, k: similarMax }, { signal }),
  });
}
