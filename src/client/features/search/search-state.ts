import type { SearchSchemaInput } from '@tanstack/react-router';
import {
  choiceParam,
  numberParam,
  textListsParam,
  textParam,
  wholeParam,
} from '#client/lib/search-params.ts';
import { limits } from '#shared/limits.ts';
import type { SearchMode } from '#shared/search.ts';

/** Not taken from the API's schemas, which would come along into the first load. */
export const searchModes: readonly SearchMode[] = ['keyword', 'vector', 'hybrid'];

/**
 * The search page's address is its state: the same link shows the same screen.
 * `facets` are the ticked values by field, `filter` the filter as typed; both apply.
 */
export interface SearchState {
  q: string;
  mode: SearchMode;
  /** Absent: all collections of the chosen project or workspace. */
  collection?: number | undefined;
  filter: string;
  facets: Record<string, string[]>;
  sort: string;
  page: number;
  alpha: number;
}

export const searchDefaults = {
  q: '',
  mode: 'hybrid',
  filter: '',
  facets: {},
  sort: '',
  page: 1,
  alpha: 0.5,
} as const satisfies Partial<SearchState>;

export const hitsPerPage = 10;

const sortCharactersMax = 512;
const tickedValuesMax = 100;
const pageMax = 1_000;

/** What cannot be read falls back. A link to the page names only what differs. */
export function searchState(search: Partial<SearchState> & SearchSchemaInput): SearchState {
  const collection = wholeParam(search.collection, { min: 1, max: Number.MAX_SAFE_INTEGER, fallback: 0 });
  return {
    q: textParam(search.q, limits.queryCharactersMax),
    mode: choiceParam(search.mode, searchModes, searchDefaults.mode),
    collection: collection === 0 ? undefined : collection,
    filter: textParam(search.filter, limits.filterCharactersMax),
    facets: textListsParam(search.facets, tickedValuesMax),
    sort: textParam(search.sort, sortCharactersMax),
    page: wholeParam(search.page, { min: 1, max: pageMax, fallback: 1 }),
    alpha: numberParam(search.alpha, { min: 0, max: 1, fallback: searchDefaults.alpha }),
  };
}

/** How a change of the state enters the browser's history: typing replaces, everything else can be gone back from. */
export type ChangeSearch = (change: Partial<SearchState>, options?: { replace?: boolean }) => void;
