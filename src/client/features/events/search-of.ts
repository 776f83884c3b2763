import { isRecord } from '#client/lib/json.ts';
import { type Tuned, tunedParam } from '#client/lib/tuned-search.ts';
import type { RequestDetail } from '#shared/requests.ts';

const modes = { 'search.keyword': 'keyword', 'search.vector': 'vector', 'search.hybrid': 'hybrid' } as const;

/** As many as the page compares by meaning. */
const neighboursOfPage = 100;

interface SearchLink {
  q: string;
  mode: 'keyword' | 'vector' | 'hybrid';
  collection: number;
  filter?: string;
  sort?: string;
  alpha?: number;
  tuned?: Tuned;
}

/** The search page's address for a search of one collection; null: it was none. */
export function searchOf({ operation, collection, input }: RequestDetail): SearchLink | null {
  const mode = operation in modes ? modes[operation as keyof typeof modes] : null;
  if (mode === null || collection === null || !isRecord(input)) return null;
  const { query, q, filter_by: filter, sort_by: sort, alpha } = input;
  const words = typeof query === 'string' ? query : typeof q === 'string' ? q : '';
  const weight = Number(alpha);
  const tuned = tunedOf(input, words !== '*');
  return {
    q: words === '*' ? '' : words,
    mode,
    collection: collection.id,
    ...(typeof filter === 'string' && filter !== '' && { filter }),
    ...(typeof sort === 'string' && sort !== '' && { sort }),
    ...(alpha !== undefined && Number.isFinite(weight) && { alpha: weight }),
    ...(Object.keys(tuned).length > 0 && { tuned }),
  };
}

/** What the page has no control of its own for, but for what it asks anyway. */
function tunedOf(input: Record<string, unknown>, hasWords: boolean): Tuned {
  const { understand = false, k, ...others } = tunedParam(input);
  return {
    ...others,
    ...(hasWords && !understand && { understand }),
    ...(k !== undefined && k !== neighboursOfPage && { k }),
  };
}
