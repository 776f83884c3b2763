import type { Collection } from '#shared/collections.ts';

export const collectionSorts = ['updated', 'created', 'name', 'documents'] as const;
export type CollectionSort = (typeof collectionSorts)[number];
export const collectionViews = ['grid', 'list'] as const;
export type CollectionView = (typeof collectionViews)[number];

/** The page's state, which its address is. */
export interface CollectionsState {
  /** Filters by name or description. */
  q: string;
  sort: CollectionSort;
  view: CollectionView;
  page: number;
}

export const collectionsDefaults = {
  q: '',
  sort: 'updated',
  view: 'grid',
  page: 1,
} as const satisfies CollectionsState;

const orders: Record<CollectionSort, (a: Collection, b: Collection) => number> = {
  updated: (a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt),
  created: (a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt),
  name: (a, b) => a.name.localeCompare(b.name),
  documents: (a, b) => b.documentCount - a.documentCount,
};

/** Equal ones stand in the order in which they were made, the newest first. */
export function inOrder(collections: Collection[], sort: CollectionSort): Collection[] {
  return collections.toSorted((a, b) => orders[sort](a, b) || b.id - a.id);
}
