import type { SearchSchemaInput } from '@tanstack/react-router';
import {
  choiceParam,
  numberParam,
  textListsParam,
  textParam,
  wholeParam,
} from '#client/lib/search-params.ts';
import { type Tuned, tunedParam } from '#client/lib/tuned-search.ts';
import { limits } from '#shared/limits.ts';
import type { SearchMode } from '#shared/search.ts';

/** Not taken from the API's schemas, which would come along into the first load. */
export const searchModes: readonly SearchMode[] = ['keyword', 'vector', 'hybrid'];

/**
 * The search page's address is its state: the same link shows the same screen.
 * `facets` are the ticked values by field, `ranges` the chosen spans, `filter` the filter as typed; all of them apply.
 */
export interface SearchState {
  q: string;
  mode: SearchMode;
  /** Absent: all collections of the chosen project or workspace. */
  collection?: number | undefined;
  filter: string;
  facets: Record<string, string[]>;
  /** By field, from where to where, both included; an empty end is open. */
  ranges: Record<string, string[]>;
  sort: string;
  page: number;
  /** How much meaning counts in a hybrid search; absent: as much as the collection's settings say. */
  alpha?: number | undefined;
  /** Phrases of the query that are words all the same, though they could be read as conditions. */
  skip: string[];
  tuned: Tuned;
  view: 'list' | 'compare';
  /** The document that is open beside the hits: its collection's id, a slash, its own. */
  open?: string | undefined;
}

export const searchDefaults = {
  q: '',
  mode: 'hybrid',
  filter: '',
  facets: {},
  ranges: {},
  sort: '',
  page: 1,
  skip: [],
  tuned: {},
  view: 'list',
} as const satisfies Partial<SearchState>;

export const hitsPerPage = 10;

const sortCharactersMax = 512;
const openCharactersMax = limits.documentIdBytesMax + 16;
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
    ranges: rangesParam(search.ranges),
    sort: textParam(search.sort, sortCharactersMax),
    page: wholeParam(search.page, { min: 1, max: pageMax, fallback: 1 }),
    alpha: weightParam(search.alpha),
    view: choiceParam(search.view, ['list', 'compare'] as const, 'list'),
    skip: phrasesParam(search.skip),
    tuned: tunedParam(search.tuned),
    open: textParam(search.open, openCharactersMax) || undefined,
  };
}

function weightParam(value: unknown): number | undefined {
  const weight = numberParam(value, { min: 0, max: 1, fallback: Number.NaN });
  return Number.isNaN(weight) ? undefined : weight;
}

const phrasesMax = 20;

/** As the API takes them; `?skip=[1994]` is read as a number. */
function phrasesParam(value: unknown): string[] {
  if (!Array.isArray(value) || value.length > phrasesMax) return [];
  return value
    .map((phrase) => textParam(phrase, limits.queryCharactersMax))
    .filter((phrase) => phrase !== '');
}

/** An end is what a number or a date is written with. */
function rangesParam(value: unknown): Record<string, string[]> {
  const ranges = Object.entries(textListsParam(value, 2));
  const isRange = (ends: string[]) =>
    ends.length === 2 && ends.join('') !== '' && ends.every((end) => /^[-+.:\dTZ]{0,32}$/.test(end));
  return Object.fromEntries(ranges.filter(([, ends]) => isRange(ends)));
}

/** What the address says of the open document; null: none is. */
export function openDocument({ open }: Pick<SearchState, 'open'>): { collection: number; id: string } | null {
  const [, collection, id] = /^(\d{1,15})\/(.+)$/s.exec(open ?? '') ?? [];
  return collection !== undefined && id !== undefined ? { collection: Number(collection), id } : null;
}

export function hasFilters({
  filter,
  facets,
  ranges,
}: Pick<SearchState, 'filter' | 'facets' | 'ranges'>): boolean {
  return filter.trim() !== '' || Object.keys(facets).length > 0 || Object.keys(ranges).length > 0;
}

/** How a change of the state enters the browser's history: typing replaces, everything else can be gone back from. */
export type ChangeSearch = (change: Partial<SearchState>, options?: { replace?: boolean }) => void;
