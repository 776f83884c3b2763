import { ElementBuffer } from '../element-buffer.ts';

const newline = 0x0a;
const carriageReturn = 0x0d;
const quote = 0x22;

/** Bytes of a row without its end; null: over the limit. `isOpen`: the upload ends within quotes. */
export interface RowBytes {
  line: number;
  bytes: Uint8Array | null;
  isOpen: boolean;
}

type State = 'before a cell' | 'in a cell' | 'in quotes' | 'behind a quote';

/**
 * Finds where the rows of a table end (RFC 4180): at a newline outside of quotes, be it LF, CRLF or CR. A quote opens only at the beginning
 * of a cell, so that one within a word swallows nothing. Works on bytes: in UTF-8 no byte of a longer character looks like punctuation.
 */
export class RowBytesReader {
  readonly #begun: ElementBuffer;
  /** What ends a cell; until the header is known, whatever may be. */
  #isDelimiter: (byte: number) => boolean;
  #state: State = 'before a cell';
  #followsReturn = false;
  #line = 1;
  /** Where the row that has begun begins. */
  #rowLine = 1;

  constructor(bytesMax: number, delimiters: string) {
    this.#begun = new ElementBuffer(bytesMax);
    this.#isDelimiter = isAnyOf(delimiters);
  }

  set delimiter(delimiter: string) {
    this.#isDelimiter = isAnyOf(delimiter);
  }

  get bufferedBytes(): number {
    return this.#begun.length;
  }

  *push(chunk: Uint8Array): Generator<RowBytes> {
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      const isSecondOfPair = byte === newline && this.#followsReturn;
      this.#followsReturn = byte === carriageReturn;
      if ((byte === newline || byte === carriageReturn) && !isSecondOfPair) this.#line += 1;
      if (!this.#endsRow(byte)) continue;
      const row = this.#take(chunk.subarray(from, at));
      from = at + 1;
      // A line without anything is no row, nor is what stands between CR and LF.
      if (row.bytes === null || row.bytes.length > 0) yield row;
    }
    this.#begun.add(chunk.subarray(from));
  }

  *end(): Generator<RowBytes> {
    const isOpen = this.#state === 'in quotes';
    const row = this.#take(new Uint8Array(0));
    if (row.bytes === null || row.bytes.length > 0) yield { ...row, isOpen };
  }

  #take(last: Uint8Array): RowBytes {
    const row = { line: this.#rowLine, bytes: this.#begun.take(last), isOpen: false };
    this.#rowLine = this.#line;
    return row;
  }

  #endsRow(byte: number): boolean {
    const state = this.#state;
    if (state === 'in quotes') {
      if (byte === quote) this.#state = 'behind a quote';
      return false;
    }
    if (byte === newline || byte === carriageReturn) {
      this.#state = 'before a cell';
      return true;
    }
    if (byte === quote && (state === 'before a cell' || state === 'behind a quote'))
      this.#state = 'in quotes';
    else this.#state = this.#isDelimiter(byte) ? 'before a cell' : 'in a cell';
    return false;
  }
}

function isAnyOf(delimiters: string): (byte: number) => boolean {
  const codes = Array.from(delimiters, (delimiter) => delimiter.charCodeAt(0));
  const [only] = codes;
  return codes.length === 1 ? (byte) => byte === only : (byte) => codes.includes(byte);
}
