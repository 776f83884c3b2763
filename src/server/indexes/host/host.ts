import type {
  EngineAnswer,
  FieldView,
  IndexedDocument,
  IndexSettings,
  IndexStats,
  SearchQuery,
  WriteBatch,
} from '#server/engine/types.ts';

/**
 * Where indexes live: the main thread (tests) or worker threads that each own the collections hashed to them. All of `indexes/` speaks
 * to the engine through this interface, so that HTTP never waits for it. Calls for one collection act in the order they were made.
 */
export interface EngineHost {
  /** Opens an index, from its snapshot when one is given. `refused` says why a snapshot was not used; the index is then empty at version 0. */
  open(
    collectionId: number,
    settings: IndexSettings,
    snapshot: Uint8Array | null,
  ): Promise<IndexStats & { refused: string | null }>;
  /** Applies one version's changes; the arrays of the batch are handed over and must not be used afterwards. */
  apply(collectionId: number, batch: WriteBatch): Promise<IndexStats>;
  search(collectionId: number, query: SearchQuery): Promise<EngineAnswer>;
  /** The documents with these ids, null where there is none; vectors too when asked for. */
  documents(collectionId: number, ids: string[], withVectors: boolean): Promise<(IndexedDocument | null)[]>;
  /** Ids of all documents that pass the filter, in id order; null: all. */
  ids(collectionId: number, filter: string | null): Promise<string[]>;
  fields(collectionId: number): Promise<FieldView[]>;
  stats(collectionId: number): Promise<IndexStats>;
  snapshot(collectionId: number): Promise<Uint8Array>;
  close(collectionId: number): Promise<void>;
  stop(): Promise<void>;
}
