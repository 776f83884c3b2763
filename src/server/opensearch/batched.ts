import type { AskSearches, SearchReply } from './multi-search.ts';

/** Searches that are asked in one turn of the event loop go in one request. */
export function batched(ask: AskSearches): AskSearches {
  let waiting: object[] = [];
  let replies: Promise<SearchReply[]> | null = null;
  const send = async () => {
    await Promise.resolve();
    const searches = waiting;
    [waiting, replies] = [[], null];
    return await ask(searches);
  };
  return async (searches) => {
    const from = waiting.length;
    waiting.push(...searches);
    replies ??= send();
    return (await replies).slice(from, from + searches.length);
  };
}
