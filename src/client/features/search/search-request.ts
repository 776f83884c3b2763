import { quoted } from '#client/lib/quoted.ts';
import type { Tuned } from '#client/lib/tuned-search.ts';
import type { SearchMode } from '#shared/search.ts';
import { hitsPerPage, type SearchState } from './search-state.ts';

/** The parameters of a search as the API takes them, but for its page. */
interface SearchRequest extends Tuned {
  query: string;
  filter_by?: string;
  sort_by?: string;
  facet_by?: string[];
  max_facet_values?: number;
  facet_mode?: 'disjunctive';
  alpha?: number;
  explain?: true;
  understand_skip?: string[];
}

/** A field of many values shows some of them, and these when more are asked for. */
const facetValuesMax = 50;
/** What is found by meaning has no natural end. As many as the search by both takes from each side. */
const neighbours = 100;

/** Without words all documents are listed, which is the keyword search for `*`. */
export function effectiveMode({ q, mode }: Pick<SearchState, 'q' | 'mode'>): SearchMode {
  return q.trim() === '' ? 'keyword' : mode;
}

/** `facets`: what is counted; a field's own ticks do not count for it, so that others can be added. */
export function searchRequest(state: SearchState, facets: string[]): SearchRequest {
  const { skip } = state;
  const hasWords = state.q.trim() !== '';
  return {
    ...plainRequest(state, facets),
    ...(hasWords && { understand: true }),
    ...(hasWords && skip.length > 0 && { understand_skip: skip }),
    ...state.tuned,
  };
}

/** Without what is of a single collection. */
function plainRequest(state: SearchState, facets: string[]): SearchRequest {
  const filter = filterOf(state);
  const mode = effectiveMode(state);
  return {
    query: state.q.trim() || '*',
    ...(filter ? { filter_by: filter } : {}),
    ...(state.sort ? { sort_by: state.sort } : {}),
    ...(facets.length > 0 ? { facet_by: facets, max_facet_values: facetValuesMax } : {}),
    ...(facets.length > 0 && isTicked(state) ? { facet_mode: 'disjunctive' } : {}),
    ...(mode === 'hybrid' && state.alpha !== undefined ? { alpha: state.alpha } : {}),
    ...(mode === 'vector' ? { k: neighbours } : {}),
  };
}

function isTicked({ facets, ranges }: SearchState): boolean {
  return Object.keys(facets).length > 0 || Object.keys(ranges).length > 0;
}

export function pageRequest({ page }: Pick<SearchState, 'page'>): { page: number; per_page: number } {
  return { page, per_page: hitsPerPage };
}

/** What the page asks beside what a reader would: what each score is made of, where there are words to make one. */
export function explained({ q }: Pick<SearchState, 'q'>): { explain?: true } {
  return q.trim() === '' ? {} : { explain: true };
}

/** Several collections as one list: neither sorted nor ticked, because their fields differ. `collections` as the API takes it. */
export function mergedRequest(state: SearchState, collections: (number | string)[] | '*') {
  const search = plainRequest({ ...state, facets: {}, ranges: {}, sort: '' }, []);
  return {
    searches: [{ collections, mode: effectiveMode(state), ...search }],
    merge: pageRequest(state),
  };
}

/** What was typed first, so that positions in it stay true; see `typedPosition`. */
export function filterOf({
  filter,
  facets,
  ranges,
}: Pick<SearchState, 'filter' | 'facets' | 'ranges'>): string {
  const typed = filter.trim();
  const chosen = [
    ...Object.entries(facets)
      .filter(([, values]) => values.length > 0)
      .map(([field, values]) => `${quoted(field)}:=[${values.map(quoted).join(', ')}]`),
    ...Object.entries(ranges).map(([field, [from = '', to = '']]) => `${quoted(field)}:${rangeOf(from, to)}`),
  ];
  if (chosen.length === 0) return typed;
  return [...(typed ? [`(${typed})`] : []), ...chosen].join(' && ');
}

function rangeOf(from: string, to: string): string {
  if (to === '') return `>=${from}`;
  return from === '' ? `<=${to}` : `[${from}..${to}]`;
}

/** Where a position in the sent filter lies in the typed text; null: behind it. */
export function typedPosition(
  state: Pick<SearchState, 'filter' | 'facets' | 'ranges'>,
  position: number,
): number | null {
  const isWrapped = filterOf(state) !== state.filter.trim();
  const typed = state.filter.trim();
  const within = position - (isWrapped ? 1 : 0);
  const leading = state.filter.length - state.filter.trimStart().length;
  return within >= 0 && within <= typed.length ? within + leading : null;
}

export const modePaths = {
  keyword: 'search',
  vector: 'vector-search',
  hybrid: 'hybrid-search',
} as const satisfies Record<SearchMode, string>;
