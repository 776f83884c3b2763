import type { Requester } from '#server/admission/requester.ts';

/** A text to embed; a document's title counts extra (see `models/static-embeddings/README.md`). */
export interface EmbeddingText {
  title: string;
  text: string;
}

/** Texts of documents, embedded together. */
export interface EmbeddingTask {
  texts: EmbeddingText[];
  dimension: number;
  /** Tenants take turns. */
  for: Requester;
}

/** A query that was read, which takes most of the time that embedding it does. */
export interface ReadQuery {
  /** Of that many components. */
  toVector(dimension: number): Float32Array;
}

/**
 * Turns texts into vectors of one space. Rows are unit length, or all zero where a text has nothing the model knows
 * (callers treat a zero row as "no vector").
 */
export interface Embedder {
  /** Names model and space: vectors of different ids never share a collection. */
  readonly id: string;
  /**
   * Documents' texts → one row of `dimension` components each, row-major. Runs off the main thread; may take long for many texts.
   * @throws AppError UNAVAILABLE (too many wait, or it has waited too long), the signal's reason when aborted
   */
  embedDocuments(task: EmbeddingTask, signal?: AbortSignal): Promise<Float32Array>;
  /** A query's text → `dimension` components; microseconds, on the calling thread: it waits for no document. */
  embedQuery(text: string, dimension: number): Promise<Float32Array>;
  /** The same in two steps, for several dimensions. */
  readQuery(text: string): Promise<ReadQuery>;
  /** Writes and batches of imports whose texts wait for a turn. */
  waiting(): number;
  stop(): Promise<void>;
}
