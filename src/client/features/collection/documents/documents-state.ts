import { choiceParam, textListParam, textParam, wholeParam } from '#client/lib/search-params.ts';
import { limits } from '#shared/limits.ts';

/** What the tab Documents has of the page's address. */
export interface DocumentsState {
  /** As typed. */
  filter: string;
  /** `year:desc`; empty: in the order of the ids. */
  sort: string;
  page: number;
  view: 'table' | 'json';
  /** The fields that the table shows; absent: those that most documents bear. */
  columns?: string[] | undefined;
  /** The id of the document in the panel. */
  open?: string | undefined;
  /** Whether a new one is being written there. */
  add: boolean;
}

export const documentsDefaults = {
  filter: '',
  sort: '',
  page: 1,
  view: 'table',
  add: false,
} as const satisfies Partial<DocumentsState>;

const sortCharactersMax = 512;
export const columnsMax = 24;
/** Further on there is the filter. */
export const documentPagesMax = 10_000;

export function documentsState(search: Partial<DocumentsState>): DocumentsState {
  return {
    filter: textParam(search.filter, limits.filterCharactersMax),
    sort: textParam(search.sort, sortCharactersMax),
    page: wholeParam(search.page, { min: 1, max: documentPagesMax, fallback: 1 }),
    view: choiceParam(search.view, ['table', 'json'] as const, documentsDefaults.view),
    columns: textListParam(search.columns, { items: columnsMax, characters: 256 }),
    open: textParam(search.open, limits.documentIdBytesMax) || undefined,
    add: search.add === true,
  };
}
