import type { KnownCollection } from '#server/auth/known/known-callers.ts';
import type { MergedTarget } from '#server/indexes/indexes.ts';
import type { MergedCount, MergedSearchAnswer, SearchMode } from '#shared/search.ts';
import type { Context } from './context.ts';

/** What of a search says whether and as what it counts. */
interface Asked {
  mode: SearchMode;
  query?: string | undefined;
  q?: string | undefined;
  page?: number | undefined;
  offset?: number | undefined;
  cursor?: string | undefined;
  enable_analytics?: boolean | undefined;
}

/** Counts a search, and answers its id, by which its clicks are told; none where it shall not be counted. A further page is no further search. */
export function noteSearch(
  ctx: Pick<Context, 'deps' | 'request'>,
  collection: Pick<KnownCollection, 'id' | 'for'>,
  { mode, query, q, page = 1, offset = 0, cursor = '', enable_analytics: isWanted = true }: Asked,
  { found, search_time_ms: tookMs }: { found: number; search_time_ms: number },
): { query_id?: string } {
  ctx.deps.monitoring.searches.note(collection.id);
  if (!isWanted) return {};
  const id = ctx.deps.searchLog.note({
    collection,
    typist: `${collection.for.caller}/${ctx.request.address}`,
    mode,
    query: query ?? q ?? '',
    found,
    tookMs,
    isCounted: page === 1 && offset === 0 && cursor === '',
  });
  return { query_id: id };
}

/** The searches of each collection of a merged list, with their ids. */
export function noteMerged(
  ctx: Pick<Context, 'deps' | 'request'>,
  asked: { items: (Asked & { index: number })[]; targets: MergedTarget[]; merge: { page: number } },
  { collection_counts, search_time_ms }: Pick<MergedSearchAnswer, 'collection_counts' | 'search_time_ms'>,
): MergedCount[] {
  const { page } = asked.merge;
  const items = new Map(asked.items.map((item) => [item.index, item]));
  const targets = new Map(asked.targets.map((target) => [target.collection.id, target]));
  return collection_counts.map((counts) => {
    const target = targets.get(counts.collection.id);
    const item = target && items.get(target.index);
    if (!item) return counts;
    const found = { found: counts.found, search_time_ms };
    return { ...counts, ...noteSearch(ctx, target.collection, { ...item, page }, found) };
  });
}
