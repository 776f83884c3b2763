/** A text to embed; a document's title counts extra (see `models/static-embeddings/README.md`). */
export interface EmbeddingText {
  title: string;
  text: string;
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
   * @throws the signal's reason when aborted
   */
  embedDocuments(texts: EmbeddingText[], dimension: number, signal?: AbortSignal): Promise<Float32Array>;
  /** A query's text → `dimension` components; microseconds. */
  embedQuery(text: string, dimension: number): Promise<Float32Array>;
  stop(): Promise<void>;
}
