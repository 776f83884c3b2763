/** What a splitter finds: an element's bytes; `null` for one over the limit, whose rest was skipped; or a fault between the elements. */
export type Piece = Uint8Array | null | { fault: string };

/** Splits an upload into its elements, without parsing them. */
export interface Splitter {
  /** Elements that end in this chunk. Keeps the bytes of one that has begun, never more than the limit. */
  push(chunk: Uint8Array): Iterable<Piece>;
  /** What the end of the upload makes of the rest. */
  end(): Iterable<Piece>;
  /** Bytes of an element that has begun. */
  readonly bufferedBytes: number;
}
