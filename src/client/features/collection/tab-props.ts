import type { CollectionWithProgress } from '#shared/collections.ts';
import type { ChangeCollection, CollectionState } from './collection-state.ts';

/** What each tab is given: the collection, and the page's address, of which it reads and changes its own. */
export interface CollectionTabProps {
  collection: CollectionWithProgress;
  state: CollectionState;
  onChange: ChangeCollection;
}
