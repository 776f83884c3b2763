import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '#client/lib/trpc.ts';
import type { NearestSentence } from '#shared/nearest-sentences.ts';
import { effectiveMode } from '../search-request.ts';
import { type SearchResults, searchedWords } from '../search-results.ts';

/** While somebody types nobody reads sentences. */
const typingPauseMs = 200;

/** By `collection/id`, the sentence of each hit that is nearest to what was searched for, of its passage where it has several; empty where words alone decide. */
export function useNearestSentences(results: SearchResults): ReadonlyMap<string, NearestSentence> {
  const { client } = trpc.useUtils();
  const { of, hits } = results;
  const query = searchedWords(results);
  const found = hits.map(({ collection, id, passage }) => ({
    collection: collection.id,
    hit: { id, passage },
  }));
  const key = JSON.stringify([query, found]);
  const [asked] = useDebouncedValue(key, typingPauseMs);
  const isSettled = asked === key;
  const answer = useQuery({
    queryKey: [['search'], 'sentences', asked],
    meta: { collections: found.map(({ collection }) => collection) },
    queryFn: async ({ signal }) => {
      const collections = [...new Set(found.map(({ collection }) => collection))];
      const each = await Promise.all(
        collections.map(async (collection) => {
          const own = found.flatMap((each) => (each.collection === collection ? [each.hit] : []));
          const sentences = await client.search.sentences.query({ collection, query, hits: own }, { signal });
          return sentences.map((sentence) => [`${collection}/${sentence.id}`, sentence] as const);
        }),
      );
      return new Map(each.flat());
    },
    enabled: isSettled && query !== '' && found.length > 0 && effectiveMode(of) !== 'keyword',
  });
  return (isSettled && answer.data) || none;
}

const none: ReadonlyMap<string, NearestSentence> = new Map();
