import type { Requester } from '#server/admission/requester.ts';
import type { TransformerState } from '#shared/embedding.ts';

/** A text to embed; a document's title counts extra (see `models/static-embeddings/README.md`). */
export interface EmbeddingText {
  title: string;
  text: string;
}

/** Texts of documents, embedded together. */
export interface EmbeddingTask {
  texts: EmbeddingText[];
  dimension: number;
  /** By the built-in model: vectors of fewer components than its own are rotated before they are cut; absent: they are not. */
  isRotated?: boolean;
  /** Tenants take turns. */
  for: Requester;
}

/**
 * What makes a vector: the table of tokens, or the transformer that it was distilled from, which is better and slower: both have one space. `-rotated`:
 * vectors of fewer components than this space has are rotated before they are cut. Or the service that is set up; `absent`: a model that is not there.
 */
export type Tier = BuiltInTier | `${BuiltInTier}-rotated` | 'service' | 'absent';
export type BuiltInTier = 'static' | 'transformer';

export const isRotated = (tier: Tier): boolean => tier.endsWith('-rotated');
export const isByTransformer = (tier: Tier): boolean => tier.startsWith('transformer');
export const isBuiltIn = (tier: Tier): boolean => tier.startsWith('static') || isByTransformer(tier);

/** A query that was read, which takes most of the time that embedding it by the table does. */
export interface ReadQuery {
  /** Of that many components. */
  toVector(dimension: number, tier?: Tier): Promise<Float32Array>;
}

/**
 * Turns texts into vectors of one space. Rows are unit length, or all zero where a text has nothing the model knows
 * (callers treat a zero row as "no vector").
 */
export interface Embedder {
  /** Names model and space: vectors of different ids never share a collection, but for those of the transformer, whose space is the same. */
  readonly id: string;
  /**
   * Documents' texts → one row of `dimension` components each, row-major. Runs off the main thread; may take long for many texts.
   * @throws AppError UNAVAILABLE (too many wait, or it has waited too long), the signal's reason when aborted
   */
  embedDocuments(task: EmbeddingTask, signal?: AbortSignal): Promise<Float32Array>;
  /**
   * One passage of a document by the transformer, in a thread that makes way for all others.
   * @throws AppError UNAVAILABLE (it is off, or has failed), LateError
   */
  upgradeDocument(text: EmbeddingText, dimension: number, isRotated?: boolean): Promise<Float32Array>;
  /** No document is to be upgraded for now: the thread that does it ends. */
  rest(): Promise<void>;
  /** How the transformer is. */
  transformerState(): TransformerState;
  /**
   * A query's text → `dimension` components. By the table it takes microseconds, on the calling thread; by the transformer some milliseconds in
   * a thread of its own, and while that is not there the table does. It waits for no document. `owner`: the account that searches; what is
   * remembered is its own, so that by another one's time nobody learns what it searches for.
   */
  embedQuery(text: string, dimension: number, tier?: Tier, owner?: string): Promise<Float32Array>;
  /** The same in two steps, for several dimensions. */
  readQuery(text: string, owner?: string): Promise<ReadQuery>;
  /** Whether the table has learnt it as a word of its own: then it is seldom a typo, which is read in pieces. */
  knowsWord(word: string): boolean;
  /** Writes and batches of imports whose texts wait for a turn. */
  waiting(): number;
  stop(): Promise<void>;
}
