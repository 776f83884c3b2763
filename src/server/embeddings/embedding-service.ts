import type { ServiceState } from '#shared/embedding.ts';
import type { EmbeddingTask } from './embedder.ts';

/** For what it is asked: somebody waits for a query's vector, nobody for a document's. */
export type ServiceUse = 'queries' | 'documents';

/** `reason`: why it does not work, in words that name neither its address nor its key. */
export interface ServiceLook {
  state: ServiceState;
  reason: string | null;
}

export interface ServiceStates extends Record<ServiceUse, ServiceLook> {
  /** Dimensions of which it gives no good vector whatever the text, and why. */
  dimensions: ReadonlyMap<number, string>;
}

/** A text's vector of unit length (or all zero), or why it has none. */
export type EmbeddedRow = Float32Array | string;

/** A model beside those that are built in: it may be slow, away, or refuse a text. Rows are as an embedder's. */
export interface EmbeddingService {
  /** Names model and space: vectors of different ids never share a collection. */
  readonly id: string;
  /** Whether it makes vectors of so many components. */
  fits(dimension: number): boolean;
  /**
   * As an embedder's.
   * @throws AppError UNAVAILABLE, UNPROCESSABLE (it does not fit), TextsRefusedError (some have no vector), the signal's reason
   */
  embedDocuments(task: EmbeddingTask, signal?: AbortSignal): Promise<Float32Array>;
  /**
   * `owner`: the account whose search it is; what is remembered is so for it alone.
   * @throws AppError UNAVAILABLE with when to come again, UNPROCESSABLE (it does not fit)
   */
  embedQuery(text: string, dimension: number, owner: string): Promise<Float32Array>;
  state(): ServiceStates;
  waiting(): number;
  stop(): Promise<void>;
}
