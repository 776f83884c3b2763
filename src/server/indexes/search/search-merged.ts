import type { SearchAnswer } from '#shared/search.ts';
import type { MergedSearch, MergedTarget, ShownDocument } from '../indexes.ts';
import { inParallel } from './in-parallel.ts';
import { pageOf } from './paging.ts';
import type { Searcher } from './searcher.ts';

const searchesAtOnce = 4;

type Outcome =
  | { target: MergedTarget; answer: SearchAnswer<ShownDocument> }
  | { target: MergedTarget; error: unknown };

/** One list over several collections. */
export async function searchMerged(
  searcher: Searcher,
  targets: MergedTarget[],
  merge: { page: number; per_page: number },
  signal: AbortSignal | undefined,
): Promise<MergedSearch> {
  const startedAt = performance.now();
  const { offset, perPage } = pageOf(merge);
  const end = offset + perPage;
  const outcomes = await inParallel(
    targets,
    { atOnce: searchesAtOnce, signal },
    async (target): Promise<Outcome> => {
      try {
        const search = { ...target.search, per_page: end };
        return { target, answer: await searcher.search(target.collection, search, signal) };
      } catch (error) {
        return { target, error };
      }
    },
  );
  const answered = outcomes.flatMap((outcome) => ('answer' in outcome ? [outcome] : []));
  const hits = answered.flatMap(({ target, answer }) => {
    const { id, name } = target.collection;
    return answer.hits.map((hit) => ({ ...hit, collection: { id, name } }));
  });
  hits.sort((a, b) => b.score - a.score || a.collection.id - b.collection.id);
  const counts = answered.map(({ target, answer }) => {
    const { id, name } = target.collection;
    return { collection: { id, name }, found: answer.found, out_of: answer.out_of };
  });
  return {
    answer: {
      found: counts.reduce((sum, { found }) => sum + found, 0),
      out_of: counts.reduce((sum, { out_of }) => sum + out_of, 0),
      page: merge.page,
      per_page: perPage,
      search_time_ms: Math.round((performance.now() - startedAt) * 1000) / 1000,
      hits: hits.slice(offset, end),
      facet_counts: [],
      collection_counts: counts.toSorted((a, b) => b.found - a.found || a.collection.id - b.collection.id),
      request: answered[0]?.answer.request ?? { mode: targets[0]?.search.mode ?? 'keyword', query: '' },
    },
    failed: outcomes.flatMap((outcome) => ('error' in outcome ? [outcome] : [])),
  };
}
