import type { AppError } from '#server/errors.ts';
import type { TableRow } from '#server/wire/import-row.ts';

/** What a splitter finds: an element's bytes; `null` for one over the limit, whose rest was skipped; or a fault. */
export type Piece = Uint8Array | null | { fault: string };

/** A row of a table, or why it is none, and the line on which it begins. */
export type TablePiece = { line: number } & (TableRow | { fault: AppError });

/** Splits an upload into its elements, without parsing them. */
export interface Splitter {
  /** Elements that end in this chunk. Keeps the bytes of one that has begun, never more than the limit. */
  push(chunk: Uint8Array): Iterable<Piece>;
  /** What the end of the upload makes of the rest. */
  end(): Iterable<Piece>;
  /** Bytes that are kept. */
  readonly bufferedBytes: number;
}
