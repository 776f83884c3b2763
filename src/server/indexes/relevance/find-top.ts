import { AppError } from '#server/errors.ts';
import type { SearchMode } from '#shared/search.ts';
import type { Search } from '../indexes.ts';
import type { ShownAnswer } from '../search/search-answer.ts';
import { rankedHits } from './list-figures.ts';

export type AskCollection = (search: Search, signal: AbortSignal) => Promise<ShownAnswer>;

export interface TopHits {
  /** The ids of the first ten, the best first. */
  found: string[];
  /** Why it could not be searched: by what the collection's own rules or documents make impossible. */
  error: string | null;
}

/** @throws AppError where the server is at fault, the signal's reason */
export async function findTop(
  ask: AskCollection,
  { query, mode }: { query: string; mode: SearchMode },
  signal: AbortSignal,
): Promise<TopHits> {
  try {
    const search = {
      query,
      mode,
      page: 1,
      per_page: rankedHits,
      include_fields: ['id'],
      highlight_fields: [],
    };
    const answer = await ask(search, signal);
    const hits = 'hits' in answer ? answer.hits.parse() : [];
    return { found: hits.map(({ id }) => id), error: null };
  } catch (error) {
    if (!(error instanceof AppError) || !isOfTheQuery(error)) throw error;
    return { found: [], error: error.message };
  }
}

export function isOfTheQuery({ code }: AppError): boolean {
  return code === 'BAD_REQUEST' || code === 'UNPROCESSABLE';
}
