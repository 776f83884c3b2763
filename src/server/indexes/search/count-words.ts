import { planOf } from '#server/engine/search-index.ts';
import type { CollectionHandle, WordCounts } from '../indexes.ts';
import type { Reader } from './merged-members.ts';
import { plainQuery } from './query.ts';

/** In how many documents of the collection each word stands, itself or with another ending. */
export async function countWords(
  registry: Reader,
  collection: CollectionHandle,
  { words, signal }: { words: string[]; signal: AbortSignal | undefined },
): Promise<WordCounts> {
  const plans = words.map(planOf);
  const question = { words: plans, totals: null, lookUps: [], breaks: [], wantsCovered: false };
  const query = plainQuery(undefined, { text: words.join(' '), prefix: false });
  const figures = await registry.read(collection, { call: 'tellWords', query, question }, signal);
  return { documents: figures.documents, holding: words.map((_, i) => figures.words[i]?.own ?? 0) };
}
