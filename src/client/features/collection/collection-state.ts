import type { SearchSchemaInput } from '@tanstack/react-router';
import { choiceParam } from '#client/lib/search-params.ts';
import { type AnalyticsState, analyticsDefaults, analyticsState } from './analytics/analytics-state.ts';
import { type DocumentsState, documentsDefaults, documentsState } from './documents/documents-state.ts';
import { type MapState, mapDefaults, mapState } from './map/map-state.ts';
import { type RelevanceState, relevanceDefaults, relevanceState } from './relevance/relevance-state.ts';
import { type TuningState, tuningDefaults, tuningState } from './tuning/tuning-state.ts';

/** The collection page's tabs, by their name in the address, in the order of their row. */
export const collectionTabs = [
  'documents',
  'schema',
  'tuning',
  'relevance',
  'analytics',
  'map',
  'manage',
] as const;
export type CollectionTab = (typeof collectionTabs)[number];

/** The collection page's address: its tab, and what that tab shows. Each tab reads its own of it. */
export interface CollectionState
  extends DocumentsState,
    MapState,
    RelevanceState,
    TuningState,
    AnalyticsState {
  tab: CollectionTab;
}

export const collectionDefaults = {
  tab: collectionTabs[0],
  ...mapDefaults,
  ...documentsDefaults,
  ...tuningDefaults,
  ...relevanceDefaults,
  ...analyticsDefaults,
} as const satisfies Partial<CollectionState>;

/** What cannot be read falls back. */
export function collectionState(search: Partial<CollectionState> & SearchSchemaInput): CollectionState {
  return {
    tab: choiceParam(search.tab, collectionTabs, collectionDefaults.tab),
    ...mapState(search),
    ...documentsState(search),
    ...tuningState(search),
    ...relevanceState(search),
    ...analyticsState(search),
  };
}

/** How a change of the state enters the browser's history: typing replaces, everything else can be gone back from. */
export type ChangeCollection = (change: Partial<CollectionState>, options?: { replace?: boolean }) => void;
