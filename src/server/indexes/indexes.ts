import type { Requester } from '#server/admission/requester.ts';
import type { ImportRow } from '#server/wire/import-row.ts';
import type { CollectionMetadata } from '#shared/collections.ts';
import type { DocumentPage, ImportResult, WriteAction } from '#shared/documents.ts';
import type { MergedSearchAnswer, SearchMode, SearchParameters } from '#shared/search.ts';
import type { EngineReply, EngineRequest, ReadCall } from './host/engine-calls.ts';
import type { ShownAnswer } from './search/search-answer.ts';
import type { ShownMergedHit } from './search/search-hit.ts';
import type { ShownDocument, ShownDocuments } from './search/shown-document.ts';

/** A collection as the caller was allowed to see it: only `rpc/scope.ts` makes one from a request. */
export interface CollectionHandle {
  id: number;
  /** The workspace it lies in, and who calls. */
  for: Requester;
  dimension: number;
  metric: 'cosine' | 'euclidean' | 'dotproduct';
}

/** With what its documents are checked and embedded by. Searches do without: it may have 128 KB. */
export interface WritableCollection extends CollectionHandle {
  metadata: CollectionMetadata | null;
}

/** Hears how many bytes the answer will have before anything is changed; what it throws keeps all as it was. */
export type HoldAnswer = (bytes: number) => void;

export interface DeletionAsked {
  /** Called once the filter is known to be good, with how many documents go first; what it throws keeps them. */
  before?: (count: number) => Promise<void>;
  /** When it fires, what has been found goes, and no more is looked for. */
  signal?: AbortSignal;
}

export interface Write {
  action: WriteAction;
  document: Record<string, unknown>;
  holdAnswer?: HoldAnswer;
}

export interface Upload {
  action: WriteAction;
  /** Read as they come, at most `limits.importBufferBytesMax` bytes at once. */
  rows: AsyncIterable<ImportRow>;
  /** Asked before each batch; what it throws is the failure of the batch's rows. Absent: a caller of this process, who always may. */
  assertAllowed?: () => Promise<void>;
}

/** What the whole answer may have; absent: what the settings say. Above it UNPROCESSABLE names the parameter that asks for less. */
interface AnswerLimit {
  answerBytesMax?: number;
}

export type Search = SearchParameters & { mode: SearchMode } & AnswerLimit;
export type SimilarSearch = Partial<SearchParameters> & { id: string } & AnswerLimit;

export interface DocumentPart extends AnswerLimit {
  id: string;
  withEmbedding: boolean;
}

export interface ListPage extends AnswerLimit {
  page: number;
  perPage: number;
  filterBy: string | undefined;
  sortBy: string | undefined;
  includeFields: string[] | undefined;
  excludeFields: string[] | undefined;
}

/** One collection of a merged search, and how it is searched. */
export interface MergedTarget {
  /** Which of the request's searches, and how it named the collection. */
  index: number;
  reference: string;
  collection: CollectionHandle & { name: string };
  search: Search;
}

export interface MergedSearch {
  answer: Omit<MergedSearchAnswer<ShownMergedHit>, 'failures'>;
  failed: { target: MergedTarget; error: unknown }[];
}

/**
 * Where the record, the engine and the embedder meet. Every write is durable and seen by the next search when its promise resolves.
 * A signal says that its caller has gone: what it asked for ends where it stands, with the signal's reason. A statement that was sent
 * and a change that was handed to the engine are carried out all the same.
 */
export interface Indexes {
  write(
    collection: WritableCollection,
    write: Write,
    signal?: AbortSignal,
  ): Promise<{ document: ShownDocument; created: boolean }>;
  /** Yields one result a row, in input order, each already durable. */
  import(collection: WritableCollection, upload: Upload, signal?: AbortSignal): AsyncIterable<ImportResult>;
  /** @throws AppError NOT_FOUND */
  get(collection: CollectionHandle, document: DocumentPart, signal?: AbortSignal): Promise<ShownDocument>;
  list(
    collection: CollectionHandle,
    page: ListPage,
    signal?: AbortSignal,
  ): Promise<DocumentPage<ShownDocuments>>;
  /** Documents' JSON texts in UTF-8, in id order. */
  export(
    collection: CollectionHandle,
    filterBy: string | undefined,
    signal?: AbortSignal,
  ): AsyncIterable<Uint8Array>;
  /** Answers the deleted document. @throws AppError NOT_FOUND */
  delete(collection: CollectionHandle, id: string, holdAnswer?: HoldAnswer): Promise<ShownDocument>;
  /** Documents that are written meanwhile stay. @returns how many went */
  deleteByFilter(collection: CollectionHandle, filterBy: string, asked?: DeletionAsked): Promise<number>;
  search(collection: CollectionHandle, search: Search, signal?: AbortSignal): Promise<ShownAnswer>;
  /** One list over several collections. What cannot be searched is answered beside it. */
  searchMerged(
    targets: MergedTarget[],
    page: { page: number; per_page: number } & AnswerLimit,
    signal?: AbortSignal,
  ): Promise<MergedSearch>;
  /** The nearest documents to one of the collection, itself left out. @throws AppError NOT_FOUND, UNPROCESSABLE (it has no vector) */
  similar(collection: CollectionHandle, search: SimilarSearch, signal?: AbortSignal): Promise<ShownAnswer>;
  /** A single question to the engine, for what needs no more than that. */
  read<Name extends ReadCall>(
    collection: CollectionHandle,
    request: EngineRequest<Name>,
    signal?: AbortSignal,
  ): Promise<EngineReply<Name>>;
  /**
   * Makes the index anew from the record, once `note` has noted it; a collection that rests because it ended its thread is used again.
   * @throws AppError TOO_MANY_REQUESTS (it is being repaired, or there were too many repairs); nothing is noted then
   */
  repair(collection: CollectionHandle, note?: () => Promise<void>): Promise<{ documents: number }>;
  /** Forgets a deleted collection's index and its files. */
  drop(collectionId: number): Promise<void>;
  /** Memory in use and collections loaded, for the log and the health page. */
  stats(): { loaded: number; memoryBytes: number };
  /** Writes pending snapshots and stops the hosts. */
  stop(): Promise<void>;
}
