import type { SearchSchemaInput } from '@tanstack/react-router';
import { listPageMax } from '#client/lib/page-of.ts';
import { choiceParam, textParam, wholeParam } from '#client/lib/search-params.ts';
import { limits } from '#shared/limits.ts';

/** The collection page's tabs, by their name in the address, in the order of their row. */
export const collectionTabs = ['schema', 'relevance'] as const;
export type CollectionTab = (typeof collectionTabs)[number];

/** The collection page's address: its tab, and what that tab shows. Each tab reads its own of it. */
export interface CollectionState {
  tab: CollectionTab;
  /** Relevance: the query that is being judged, and the page of the judged ones. */
  judge: string;
  queries: number;
}

export const collectionDefaults = {
  tab: collectionTabs[0],
  judge: '',
  queries: 1,
} as const satisfies Partial<CollectionState>;

/** What cannot be read falls back. */
export function collectionState(search: Partial<CollectionState> & SearchSchemaInput): CollectionState {
  return {
    tab: choiceParam(search.tab, collectionTabs, collectionDefaults.tab),
    judge: textParam(search.judge, limits.judgedQueryCharactersMax),
    queries: wholeParam(search.queries, { min: 1, max: listPageMax, fallback: 1 }),
  };
}

/** How a change of the state enters the browser's history: typing replaces, everything else can be gone back from. */
export type ChangeCollection = (change: Partial<CollectionState>, options?: { replace?: boolean }) => void;
