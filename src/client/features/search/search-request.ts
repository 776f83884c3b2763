import type { SearchMode } from '#shared/search.ts';
import { hitsPerPage, type SearchState } from './search-state.ts';

/** The parameters of a search as the API takes them, but for its page. */
interface SearchRequest {
  query: string;
  filter_by?: string;
  sort_by?: string;
  facet_by?: string[];
  max_facet_values?: number;
  alpha?: number;
}

const facetValuesShown = 8;

/** Without words all documents are listed, which is the keyword search for `*`. */
export function effectiveMode({ q, mode }: Pick<SearchState, 'q' | 'mode'>): SearchMode {
  return q.trim() === '' ? 'keyword' : mode;
}

/** `except`: a field whose ticked values do not count, for that field's own counts. */
export function searchRequest(state: SearchState, facetFields: string[], except?: string): SearchRequest {
  const filter = filterOf(state, except);
  return {
    query: state.q.trim() || '*',
    ...(filter ? { filter_by: filter } : {}),
    ...(state.sort ? { sort_by: state.sort } : {}),
    ...(facetFields.length > 0 ? { facet_by: facetFields, max_facet_values: facetValuesShown } : {}),
    ...(effectiveMode(state) === 'hybrid' ? { alpha: state.alpha } : {}),
  };
}

export function pageRequest({ page }: Pick<SearchState, 'page'>): { page: number; per_page: number } {
  return { page, per_page: hitsPerPage };
}

/** Several collections as one list: neither sorted nor ticked, because their fields differ. `collections` as the API takes it. */
export function mergedRequest(state: SearchState, collections: (number | string)[] | '*') {
  const search = searchRequest({ ...state, facets: {}, sort: '' }, []);
  return {
    searches: [{ collections, mode: effectiveMode(state), ...search }],
    merge: pageRequest(state),
  };
}

/** What was typed first, so that positions in it stay true; see `typedOffset`. */
export function filterOf(
  { filter, facets }: Pick<SearchState, 'filter' | 'facets'>,
  except?: string,
): string {
  const typed = filter.trim();
  const ticked = Object.entries(facets)
    .filter(([field, values]) => field !== except && values.length > 0)
    .map(([field, values]) => `${quoted(field)}:=[${values.map(quoted).join(', ')}]`);
  if (ticked.length === 0) return typed;
  return [...(typed ? [`(${typed})`] : []), ...ticked].join(' && ');
}

/** Where a position in the sent filter lies in the typed text; null: behind it. */
export function typedPosition(
  state: Pick<SearchState, 'filter' | 'facets'>,
  position: number,
): number | null {
  const isWrapped = filterOf(state) !== state.filter.trim();
  const typed = state.filter.trim();
  const within = position - (isWrapped ? 1 : 0);
  const leading = state.filter.length - state.filter.trimStart().length;
  return within >= 0 && within <= typed.length ? within + leading : null;
}

/** Numbers, booleans and single words stand as they are; all else between backticks, where only the backtick is special. */
function quoted(text: string): string {
  return /^[\p{L}\p{N}_-][\p{L}\p{N}_.-]*$/u.test(text) && !text.includes('..')
    ? text
    : `\`${text.replaceAll('`', '``')}\``;
}

export const modePaths = {
  keyword: 'search',
  vector: 'vector-search',
  hybrid: 'hybrid-search',
} as const satisfies Record<SearchMode, string>;
