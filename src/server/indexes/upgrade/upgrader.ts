import type { RecordStore } from '#server/db/client.ts';
import type { WritableCollection } from '../indexes.ts';
import type { CollectionIndexes } from '../registry/collection-indexes.ts';

export interface UpgraderParts {
  registry: Pick<CollectionIndexes, 'change'>;
  record: Pick<RecordStore, 'as' | 'db' | 'sql' | 'servers' | 'assertWritable'>;
}

/** What gives documents that are stored already better vectors, or their first. */
export interface Upgrader {
  /** The collections in which it has made vectors, where queries have to know. */
  upgraded(): Promise<number[]>;
  /** Those of these collections, or of all, in which it has something to do. */
  toUpgrade(ids: number[] | null): Promise<WritableCollection[]>;
  /**
   * Some documents of a collection: read, embedded outside of the collection's turn, and written in it unless they were changed meanwhile.
   * @returns how many; 0: there are none, or the server stops before one is finished
   * @throws AppError, the signal's reason
   */
  upgradeSome(collection: WritableCollection, signal: AbortSignal): Promise<number>;
  /** There is nothing to do for now. */
  rest(): Promise<void>;
  /** It does nothing for long. */
  hasFailed(): boolean;
}
