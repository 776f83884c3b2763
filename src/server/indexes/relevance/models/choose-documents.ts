import { AppError, badRequest } from '#server/errors.ts';
import { limits } from '#shared/limits.ts';
import type { SearchMode } from '#shared/search.ts';
import type { CollectionHandle } from '../../indexes.ts';
import { inParallel } from '../../search/in-parallel.ts';
import type { Reader } from '../../search/merged-members.ts';
import { type AskCollection, isOfTheQuery } from '../find-top.ts';
import { type JudgedQuery, searchesAtOnce } from '../measure-queries.ts';

interface Parts {
  registry: Reader;
  /** The ways in which the collection is searched as it stands. */
  asks: readonly AskCollection[];
}

interface Asked {
  judged: readonly JudgedQuery[];
  /** Of the collection. */
  documentCount: number;
  documentsMax: number;
  signal: AbortSignal;
}

/**
 * The documents among which models are compared: all of them where they are no more than `documentsMax`. Else all that are judged, then what the queries find as
 * the collection stands, by words and by meaning, the best of each query first.
 * @returns ids, the dearest first @throws AppError BAD_REQUEST where more are judged, as searches do, the signal's reason
 */
export async function chooseDocuments(
  { registry, asks }: Parts,
  collection: CollectionHandle,
  { judged, documentCount, documentsMax, signal }: Asked,
): Promise<string[]> {
  const chosen = new Set(judged.flatMap(({ grades }) => [...grades.keys()]));
  if (documentCount <= documentsMax) {
    const asked = { call: 'ids' as const, filter: null, after: null, limit: documentsMax };
    for (const id of await registry.read(collection, asked, signal)) chosen.add(id);
    return [...chosen];
  }
  if (chosen.size > documentsMax)
    throw badRequest(
      'documents',
      `must be at least ${chosen.size}, as many as are judged for these queries; or name fewer of them in "queries"`,
    );
  const searches = asks.flatMap((ask) =>
    (['keyword', 'vector'] as const).flatMap((mode) => judged.map(({ query }) => ({ ask, query, mode }))),
  );
  const lists = await inParallel(searches, { atOnce: searchesAtOnce, signal }, (search) =>
    found(search, signal),
  );
  for (let rank = 0; rank < limits.comparedHitsOfQuery; rank += 1)
    for (const list of lists) {
      const id = list[rank];
      if (id !== undefined) chosen.add(id);
      if (chosen.size === documentsMax) return [...chosen];
    }
  return [...chosen];
}

async function found(
  { ask, query, mode }: { ask: AskCollection; query: string; mode: SearchMode },
  signal: AbortSignal,
): Promise<string[]> {
  const many = limits.comparedHitsOfQuery;
  const only = { include_fields: ['id'], highlight_fields: [] };
  const search = { query, mode, page: 1, per_page: many, min_relevance: 0, ...only };
  try {
    const answer = await ask(mode === 'vector' ? { ...search, k: many } : search, signal);
    return 'hits' in answer ? answer.hits.parse().map(({ id }) => id) : [];
  } catch (error) {
    // Without the model that made its vectors a collection is searched by words alone.
    const isWithoutModel = error instanceof AppError && error.code === 'UNAVAILABLE' && mode === 'vector';
    if (isWithoutModel || (error instanceof AppError && isOfTheQuery(error))) return [];
    throw error;
  }
}
