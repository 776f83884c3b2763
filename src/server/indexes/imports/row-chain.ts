import { createHash } from 'node:crypto';
import type { ImportRow, TableRow } from '#server/wire/import-row.ts';

/**
 * Tells an upload that is sent again from another one, up to any row: the hash of each row is of the one before it and of what was sent.
 * SHA-256.
 */
export class RowChain {
  #last: Uint8Array;
  #columns: TableRow['columns'] | null = null;

  constructor(request: Uint8Array) {
    this.#last = request;
  }

  next(row: ImportRow): Uint8Array {
    this.#last = createHash('sha256').update(this.#last).update(this.#textOf(row)).digest();
    return this.#last;
  }

  #textOf(row: ImportRow): string {
    if ('text' in row) return `text ${row.text}`;
    if ('fault' in row) return `fault ${row.fault.code} ${row.fault.message}`;
    const isFirst = row.columns !== this.#columns;
    this.#columns = row.columns;
    return `cells ${JSON.stringify(isFirst ? [row.columns, row.cells] : [row.cells])}`;
  }
}
