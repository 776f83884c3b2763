import type { SearchMode } from '#shared/search.ts';
import type { CollectionHandle, Indexes } from '../indexes.ts';
import { inParallel } from '../search/in-parallel.ts';
import { type AskCollection, findTop } from './find-top.ts';
import { figuresOf, isRelevant, type ListFigures } from './list-figures.ts';

/** A query with the grades of its documents, by their ids. */
export interface JudgedQuery {
  query: string;
  grades: ReadonlyMap<string, number>;
}

export interface MeasuredQuery extends ListFigures {
  query: string;
  /** Judged documents with a grade above 0. */
  relevant: number;
  /** Why it could not be searched. */
  error: string | null;
}

/** Each is a search like any other, which waits for its turn: others' searches go on in between. */
export const searchesAtOnce = 2;

/** Those that can be measured: with a relevant document. */
export function measurable(judged: readonly JudgedQuery[]): JudgedQuery[] {
  return judged.filter(({ grades }) => [...grades.values()].some(isRelevant));
}

/**
 * Asks the collection, as it stands, each query that has a relevant document. One that the collection's own rules or documents make impossible finds nothing
 * and says why; where the server is at fault, nothing is measured.
 * @param tell hears how many are done @throws AppError as searches do, the signal's reason
 */
export async function measureQueries(
  indexes: Pick<Indexes, 'search'>,
  {
    collection,
    mode,
    judged,
  }: { collection: CollectionHandle; mode: SearchMode; judged: readonly JudgedQuery[] },
  { signal, tell }: { signal: AbortSignal; tell?: ((done: number, of: number) => void) | undefined },
): Promise<MeasuredQuery[]> {
  const asked = measurable(judged);
  const ask: AskCollection = (search) => indexes.search(collection, search, signal);
  let done = 0;
  return await inParallel(asked, { atOnce: searchesAtOnce, signal }, async ({ query, grades }) => {
    const { found, error } = await findTop(ask, { query, mode }, signal);
    done += 1;
    tell?.(done, asked.length);
    const relevant = [...grades.values()].filter(isRelevant).length;
    return { query, relevant, ...figuresOf(found, grades), error };
  });
}
