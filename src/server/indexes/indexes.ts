import type { Requester } from '#server/admission/requester.ts';
import type { Database } from '#server/db/client.ts';
import type { ServiceStates } from '#server/embeddings/embedding-service.ts';
import type { ImportRow, TableReading } from '#server/wire/import-row.ts';
import type { CollectionMetadata, Verified } from '#shared/collections.ts';
import type { ComparableModels, ComparedAmong, ComparedQuery } from '#shared/comparisons.ts';
import type {
  DocumentPage,
  DocumentVersion,
  IfMatch,
  Import,
  ImportResult,
  WriteAction,
} from '#shared/documents.ts';
import type { TransformerState } from '#shared/embedding.ts';
import type { MergedSearchAnswer, SearchMode } from '#shared/search.ts';
import type { GivenParameters } from '#shared/search-parameters.ts';
import type { RuleDraft } from '#shared/search-preview.ts';
import type { ExplainAnswer } from '#shared/standing.ts';
import type { Suggestions } from '#shared/suggestions.ts';
import type { EngineReply, EngineRequest, ReadCall } from './host/engine-calls.ts';
import type { ReadImport } from './imports/import-columns.ts';
import type { IndexesLoad, IndexLook } from './registry/index-look.ts';
import type { Calibrated, ToCalibrate } from './relevance/calibration/calibrated.ts';
import type { ProposedChange } from './relevance/models/proposed-change.ts';
import type { ShownAnswer, ShownList } from './search/search-answer.ts';
import type { ShownMergedHit } from './search/search-hit.ts';
import type { ShownDocument, ShownDocuments } from './search/shown-document.ts';

/** A collection as the caller was allowed to see it: only `rpc/scope.ts` makes one from a request. */
export interface CollectionHandle {
  id: number;
  /** The workspace it lies in, and who calls. */
  for: Requester;
  dimension: number;
  metric: 'cosine' | 'euclidean' | 'dotproduct';
  /** Which state of its synonyms, overrides, presets and settings a search must know at least; 0: it has none. */
  rulesVersion: number;
}

/** With what its documents are checked and embedded by. Searches do without: it may have 128 KB. */
export interface WritableCollection extends CollectionHandle {
  metadata: CollectionMetadata | null;
}

/** How a service stands, by the id of its model. */
interface ServiceOfModel extends ServiceStates {
  id: string;
}

/** Hears how many bytes the answer will have before anything is changed; what it throws keeps all as it was. */
export type HoldAnswer = (bytes: number) => void;

export interface Write {
  action: WriteAction;
  document: Record<string, unknown>;
  /** Of an `upsert`: it replaces what this version wrote and nothing else, and a vector that came with that stands. */
  ifVersion?: number | undefined;
  /** Of an `upsert` or `update`: it changes what has one of these tags and nothing else. */
  ifMatch?: IfMatch | undefined;
  holdAnswer?: HoldAnswer;
}

/** An import that is begun in the record: its rows follow. */
export interface OpenedImport {
  readonly id: number;
}

export interface NewImport {
  /** The caller's, by which the same upload is known again; null: it is not. */
  key: string | null;
  action: WriteAction;
  reading: TableReading;
  /** That its caller is gone. */
  signal: AbortSignal;
}

/** What imports there are and were within the last day. */
export interface Imports {
  /**
   * Begins an import, or takes one with the same key up again. `note` writes beside it, in one transaction.
   * @throws AppError CONFLICT when one with this key is under way, was canceled, or had other parameters
   */
  open(
    collection: CollectionHandle,
    given: NewImport,
    note: (db: Database) => Promise<void>,
  ): Promise<OpenedImport>;
  /** What is written stays; one that has ended stays as it is. `note` writes beside it. @throws AppError NOT_FOUND */
  cancel(collection: CollectionHandle, id: number, note: (db: Database) => Promise<void>): Promise<Import>;
  /** With what is known here of one under way. */
  toImport(row: ReadImport): Import;
}

export interface Upload {
  action: WriteAction;
  /** Read as they come, at most `limits.importBufferBytesMax` bytes at once. */
  rows: AsyncIterable<ImportRow>;
  /** Asked before each batch; what it throws is the failure of the batch's rows. Absent: a caller of this process, who always may. */
  assertAllowed?: (() => Promise<void>) | undefined;
  /** What is told of it, and with a key, what of it is done already. It is closed at the end. Absent: nobody asks. */
  opened?: OpenedImport | null;
}

/** What the whole answer may have; absent: what the settings say. Above it UNPROCESSABLE names the parameter that asks for less. */
interface AnswerLimit {
  answerBytesMax?: number;
}

export type Search = GivenParameters & { mode: SearchMode } & AnswerLimit;
/** Rules that are not saved, and the moment that overrides are asked of; absent: now. */
interface Draft {
  draft: RuleDraft;
  at?: Date | undefined;
}
type DraftedSearch = (search: Search, signal?: AbortSignal) => Promise<ShownAnswer>;
export type ExplainSearch = GivenParameters & { mode: SearchMode; id: string };
export type SimilarSearch = GivenParameters & {
  id: string;
  distance_threshold?: number | undefined;
} & AnswerLimit;

/** A document as the record holds it at one moment. */
export interface RecordedDocument {
  id: string;
  /** The collection version that wrote it. */
  version: number;
  /** Its JSON text. */
  source: string;
  /** Its vector came with it; no: it was made from the texts, or there is none. */
  hasOwnVector: boolean;
}

/** In how many documents of a collection words stand. */
export interface WordCounts {
  documents: number;
  /** In the order of the words that were asked for. */
  holding: number[];
}

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

export type Exported = Pick<ListPage, 'filterBy' | 'includeFields' | 'excludeFields'>;

/** What concerns all documents that pass. */
export interface FilteredChange {
  filterBy: string;
  /** Called once the filter is known to be good, with how many are changed first; what it throws keeps the documents. */
  before?: (count: number) => Promise<void>;
  /** Asked before each further set. */
  assertAllowed?: () => Promise<void>;
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
  /** The same in mind only: the results that an import would have now. */
  dryRun(
    collection: WritableCollection,
    upload: Omit<Upload, 'opened'>,
    signal?: AbortSignal,
  ): AsyncIterable<ImportResult>;
  /** What imports there are and were lately. */
  readonly imports: Imports;
  /** @throws AppError NOT_FOUND */
  get(collection: CollectionHandle, document: DocumentPart, signal?: AbortSignal): Promise<ShownDocument>;
  /** From the record, which a change of it may name. @throws AppError NOT_FOUND */
  getVersion(
    collection: CollectionHandle,
    document: Omit<DocumentPart, 'withEmbedding'>,
  ): Promise<DocumentVersion<ShownDocument>>;
  /** Those that exist, in the order of `ids`: the first that have `bytesMax` bytes together, at least one. */
  recorded(collection: CollectionHandle, ids: string[], bytesMax: number): Promise<RecordedDocument[]>;
  /** Words as they are typed, none of them an unfinished one. */
  countWords(collection: CollectionHandle, words: string[], signal?: AbortSignal): Promise<WordCounts>;
  list(
    collection: CollectionHandle,
    page: ListPage,
    signal?: AbortSignal,
  ): Promise<DocumentPage<ShownDocuments>>;
  /** Documents as lines of JSON in UTF-8, some at a time, in id order. */
  export(collection: CollectionHandle, exported: Exported, signal?: AbortSignal): AsyncIterable<Uint8Array>;
  /** Answers the deleted document. @throws AppError NOT_FOUND */
  delete(collection: CollectionHandle, id: string, holdAnswer?: HoldAnswer): Promise<ShownDocument>;
  /**
   * Answers how many went. In sets of up to 50,000, each of them all or nothing; documents that are written meanwhile stay.
   */
  deleteByFilter(collection: CollectionHandle, change: FilteredChange, signal?: AbortSignal): Promise<number>;
  /** The same in sets of up to 10,000, or fewer large ones. @throws AppError also what is wrong with one of them; its set is as it was */
  mergeByFilter(
    collection: WritableCollection,
    change: FilteredChange,
    document: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<number>;
  search(collection: CollectionHandle, search: Search, signal?: AbortSignal): Promise<ShownAnswer>;
  /** Fits relevance to what is judged, as the collection stands; it keeps nothing. @throws AppError UNPROCESSABLE where too little is judged */
  calibrate(collection: CollectionHandle, judged: ToCalibrate, signal: AbortSignal): Promise<Calibrated>;
  /** Searches as if a draft of rules were saved: of one state of the rules and one moment, however many. */
  drafted(collection: CollectionHandle, draft: Draft): Promise<DraftedSearch>;
  /** As if another model made the collection's vectors, among some of its documents. @throws AppError as `ModelComparer.compare` */
  compareModel(
    collection: WritableCollection,
    change: ProposedChange,
    signal: AbortSignal,
  ): Promise<{ compared: ComparedQuery[]; among: ComparedAmong }>;
  /** What it could be compared with, and how far a comparison is. @throws AppError UNAVAILABLE (the record) */
  comparableModels(
    collection: Pick<CollectionHandle, 'id' | 'dimension'> & { model: string },
  ): Promise<ComparableModels>;
  /** Whether parameters that are about to be stored fit the documents. @throws AppError as a search with them */
  check(collection: CollectionHandle, parameters: GivenParameters, signal?: AbortSignal): Promise<void>;
  /** Where a document stands in a search, or what keeps it out and what would bring it in. */
  explain(collection: CollectionHandle, search: ExplainSearch, signal?: AbortSignal): Promise<ExplainAnswer>;
  /** One list over several collections. What cannot be searched is answered beside it. */
  searchMerged(
    targets: MergedTarget[],
    page: { page: number; per_page: number } & AnswerLimit,
    signal?: AbortSignal,
  ): Promise<MergedSearch>;
  /** Completes what is typed; of nothing, what many search for. */
  suggest(
    collection: CollectionHandle,
    typed: { q: string; limit: number },
    signal?: AbortSignal,
  ): Promise<Suggestions>;
  /** That the record has counted further searches of these collections. */
  noteSearched(collectionIds: number[]): void;
  /** The nearest documents to one of the collection, itself left out. @throws AppError NOT_FOUND, UNPROCESSABLE (it has no vector) */
  similar(collection: CollectionHandle, search: SimilarSearch, signal?: AbortSignal): Promise<ShownList>;
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
  /** Compares the index with the record, document by document. @throws AppError TOO_MANY_REQUESTS, as `repair` */
  verify(collection: CollectionHandle, signal?: AbortSignal): Promise<Verified>;
  /** The rules have changed by which a collection's texts are read: its index is made anew before it answers again. */
  readAnew(collectionId: number): void;
  /** Forgets a deleted collection's index and its files. */
  drop(collectionId: number): Promise<void>;
  /** How a collection's index in memory stands; null: there is none, and the next search opens it. No statement and no wait. */
  look(collectionId: number): IndexLook | null;
  /** How the models are: the transformer, by which documents are upgraded and then searched, and the service, if one is set up. */
  models(): { transformer: TransformerState; service: ServiceOfModel | null };
  /** What makes the vectors of a new collection with so many dimensions. */
  modelFor(dimension: number): string;
  /** What makes those of a collection in the end: it is moved to that, where it is another than its own. */
  targetOf(collection: { model: string; dimension: number }): string;
  /** @throws AppError UNAVAILABLE while a cluster that keeps the indexes does not answer */
  assertThere(): Promise<void>;
  /** Memory in use and collections loaded, for the log and the health page. */
  stats(): IndexesLoad & { importsUnderWay: number };
  /** Writes pending snapshots and stops the hosts. */
  stop(): Promise<void>;
}
