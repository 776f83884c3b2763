import type { FieldView } from '#server/engine/types.ts';
import type { AppError } from '#server/errors.ts';
import type { DocumentPage, ImportResult, StoredDocument, WriteAction } from '#shared/documents.ts';
import type { SearchAnswer, SearchMode, SearchParameters } from '#shared/search.ts';

/**
 * A collection as the caller was allowed to see it: only `rpc/scope.ts` makes one from a request.
 */
export interface CollectionHandle {
  id: number;
  dimension: number;
  metric: 'cosine' | 'euclidean' | 'dotproduct';
  metadata: import('#shared/collections.ts').CollectionMetadata | null;
}

/** One element of an upload, in order: its JSON text, or why it could not even be cut out of the stream. */
export type ImportRow = { index: number; text: string } | { index: number; fault: AppError };

/** Where the record, the engine and the embedder meet. Every write is durable and seen by the next search when its promise resolves. */
export interface Indexes {
  write(
    collection: CollectionHandle,
    action: WriteAction,
    document: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<{ document: StoredDocument; created: boolean }>;
  /** Reads rows as they come, at most `limits.importBufferBytesMax` bytes at once; yields one result a row, in input order, each already durable. */
  import(
    collection: CollectionHandle,
    action: WriteAction,
    rows: AsyncIterable<ImportRow>,
    signal?: AbortSignal,
  ): AsyncIterable<ImportResult>;
  get(collection: CollectionHandle, id: string, options: { withEmbedding: boolean }): Promise<StoredDocument>;
  list(
    collection: CollectionHandle,
    page: {
      page: number;
      perPage: number;
      filterBy: string | undefined;
      sortBy: string | undefined;
      includeFields: string[] | undefined;
      excludeFields: string[] | undefined;
    },
  ): Promise<DocumentPage>;
  /** Documents' JSON texts, in id order. */
  export(
    collection: CollectionHandle,
    filterBy: string | undefined,
    signal?: AbortSignal,
  ): AsyncIterable<string>;
  /** Answers the deleted document. @throws AppError NOT_FOUND */
  delete(collection: CollectionHandle, id: string): Promise<StoredDocument>;
  deleteByFilter(collection: CollectionHandle, filterBy: string): Promise<number>;
  search(collection: CollectionHandle, mode: SearchMode, parameters: SearchParameters): Promise<SearchAnswer>;
  similar(
    collection: CollectionHandle,
    id: string,
    parameters: Partial<SearchParameters>,
  ): Promise<SearchAnswer>;
  fields(collection: CollectionHandle): Promise<FieldView[]>;
  /** Forgets a deleted collection's index and its files. */
  drop(collectionId: number): Promise<void>;
  /** Memory in use and collections loaded, for the log and the health page. */
  stats(): { loaded: number; memoryBytes: number };
  /** Writes pending snapshots and stops the hosts. */
  stop(): Promise<void>;
}
