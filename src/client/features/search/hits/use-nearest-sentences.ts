import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '#client/lib/trpc.ts';
import type { NearestSentence } from '#shared/nearest-sentences.ts';
import { effectiveMode } from '../search-request.ts';
import { type SearchResults, searchedWords } from '../search-results.ts';

/** While somebody types nobody reads sentences. */
const typingPauseMs = 200;

/** By `collection/id`, the sentence of each hit that is nearest to what was searched for; empty where words alone decide. */
export function useNearestSentences(results: SearchResults): ReadonlyMap<string, NearestSentence> {
  const { client } = trpc.useUtils();
  const { of, hits } = results;
  const query = searchedWords(results);
  const ids = hits.map(({ collection, id }) => [collection.id, id] as const);
  const [asked] = useDebouncedValue(JSON.stringify([query, ids]), typingPauseMs);
  const isSettled = asked === JSON.stringify([query, ids]);
  const found = useQuery({
    queryKey: [['search'], 'sentences', asked],
    meta: { collections: ids.map(([collection]) => collection) },
    queryFn: async ({ signal }) => {
      const collections = [...new Set(ids.map(([collection]) => collection))];
      const each = await Promise.all(
        collections.map(async (collection) => {
          const own = ids.flatMap(([other, id]) => (other === collection ? [id] : []));
          const sentences = await client.search.sentences.query({ collection, query, ids: own }, { signal });
          return sentences.map((sentence) => [`${collection}/${sentence.id}`, sentence] as const);
        }),
      );
      return new Map(each.flat());
    },
    enabled: isSettled && query !== '' && ids.length > 0 && effectiveMode(of) !== 'keyword',
  });
  return (isSettled && found.data) || none;
}

const none: ReadonlyMap<string, NearestSentence> = new Map();
