import { once } from 'node:events';
import { CsvError, type InfoField, type InfoRecord, Parser } from 'csv-parse';
import { AppError } from '#server/errors.ts';
import { decodeInner } from '#server/wire/json.ts';
import { limits } from '#shared/limits.ts';
import { tableDialect } from './table-dialect.ts';

/** A row that is not empty. `line`: where it begins, from 1; `bytes`: of it and of empty lines before it. */
export interface ParsedRow {
  line: number;
  bytes: number;
  cells: string[];
  /** Why its cells are not to be taken. */
  fault: AppError | null;
}

/** So much is parsed at a time: rows of two bytes take csv-parse some 10 to 15 µs each. */
const pieceBytes = 512;
/** Work on the thread after which others have their turn: empty lines give their reader none. */
const longMs = 2;
/** The parser waits for so many at most before it ends a cell or a row. */
const aheadBytes = 4;

/** What csv-parse needs for a cell at first. A longer cell leaves more behind, which is given back beyond so much. */
const cellRoomBytes = 20;
const keptRoomBytes = 4 * 1024;

/** What csv-parse has beside what its types tell of. */
interface ParserState {
  info: { records: number };
  state: { field: { buf: Buffer; size: number } };
}

const unread = 'what follows it is not read';

/**
 * Splits a table in UTF-8 into rows of cells, by csv-parse. A row that is broken has a fault and the next one follows it. One over a limit, or
 * with a quote that is never closed, is the last: where the next one would begin cannot be told.
 */
export class TableParser {
  readonly #parser: Parser & ParserState;
  readonly #bytesMax: number;
  readonly #turn: () => Promise<void>;
  #rows: ParsedRow[] = [];
  #writtenBytes = 0;
  /** Where the row that is being read begins, and its cell: bytes from the beginning of the table. */
  #rowStart = 0;
  #cellStart = 0;
  #fault: AppError | null = null;
  /** The line behind the last row. */
  #line = 1;
  /** Up to the last row. */
  #emptyLines = 0;
  /** CRLF within quotes, which csv-parse counts as two lines. */
  #quotedPairs = 0;
  #isOver = false;

  /** @param turn waited for where there is much to read and no row */
  constructor(delimiter: string, bytesMax: number, turn = async (): Promise<void> => {}) {
    this.#bytesMax = bytesMax;
    this.#turn = turn;
    this.#parser = new Parser({
      ...tableDialect,
      delimiter,
      cast: (bytes, place) => this.#readCell(bytes, place),
      on_record: (cells: string[], place) => this.#endRow(cells, place),
    }) as Parser & ParserState;
    // Whoever writes hears of it.
    this.#parser.on('error', () => undefined);
  }

  /** Of the row that is being read. */
  get openBytes(): number {
    return this.#writtenBytes - this.#rowStart;
  }

  /** Rows that end in it, as soon as their piece of it is read. It may be used again afterwards. */
  async *push(chunk: Uint8Array): AsyncGenerator<ParsedRow> {
    let since = performance.now();
    for (let at = 0; at < chunk.length && !this.#isOver; at += pieceBytes) {
      // The parser keeps a view of what it has not read yet.
      const piece = Buffer.from(chunk.subarray(at, at + pieceBytes));
      const error = await new Promise<unknown>((resolve) => this.#parser.write(piece, resolve));
      this.#writtenBytes += piece.length;
      if (error) this.#endWith(error);
      else if (this.openBytes - aheadBytes > this.#bytesMax) this.#endWith(this.#tooLarge());
      const rows = this.#takeRows();
      yield* rows;
      if (rows.length === 0 && performance.now() - since < longMs) continue;
      // Who takes rows takes turns.
      if (rows.length === 0) await this.#turn();
      since = performance.now();
    }
  }

  async *end(): AsyncGenerator<ParsedRow> {
    if (this.#isOver) return;
    const finished = once(this.#parser, 'finish');
    this.#parser.end();
    await finished.catch((error: unknown) => this.#endWith(error));
    yield* this.#takeRows();
  }

  #takeRows(): ParsedRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  /** What a cell holds. @throws AppError, which ends the table */
  #readCell(bytes: string, { index, bytes: end, quoting, empty_lines }: InfoField): string {
    if (index === limits.tableColumnsMax) {
      throw new AppError('BAD_REQUEST', `The row has more than ${index} cells; ${unread}`);
    }
    if (end - this.#rowStart > this.#bytesMax) throw this.#tooLarge();
    if (bytes.length > keptRoomBytes) this.#giveRoomBack();
    if (quoting) {
      // Each quote within is written twice, and one stands on either side. An empty line before the first cell has at least a byte.
      const emptyBytes = index === 0 ? empty_lines - this.#emptyLines : 0;
      if (end - this.#cellStart < bytes.length + countOf('"', bytes) + 2 + emptyBytes) {
        const message = `Cell ${index + 1} of the row goes on behind its closing quote; a quote within quotes is written twice`;
        this.#fault ??= new AppError('BAD_REQUEST', message);
      }
      this.#quotedPairs += countOf('\r\n', bytes);
    }
    this.#cellStart = end + 1;
    return this.#decode(bytes);
  }

  /** For each cell that goes on behind its closing quote csv-parse copies all the room that it has, however little of it is used. */
  #giveRoomBack(): void {
    const { field } = this.#parser.state;
    field.buf = Buffer.allocUnsafe(cellRoomBytes);
    field.size = cellRoomBytes;
  }

  #decode(bytes: string): string {
    if (!/[\x80-\xff]/.test(bytes)) return bytes;
    try {
      return decodeInner(Buffer.from(bytes, 'latin1'));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const message = `${error.message}; name another encoding in the Content-Type: "text/csv; charset=windows-1252"`;
      this.#fault ??= new AppError(error.code, message, { cause: error });
      return '';
    }
  }

  /** Null: it is not kept by the parser. */
  #endRow(cells: string[], { lines, bytes: end, empty_lines }: InfoRecord): null {
    this.#rows.push({
      line: this.#line + empty_lines - this.#emptyLines,
      bytes: end - this.#rowStart,
      cells,
      fault: this.#fault,
    });
    this.#line = lines - this.#quotedPairs + 1;
    this.#emptyLines = empty_lines;
    this.#rowStart = end;
    this.#cellStart = end;
    this.#fault = null;
    // Otherwise each row with another number of cells than the first costs an error that nobody reads.
    this.#parser.info.records = 0;
    return null;
  }

  #tooLarge(): AppError {
    const megabytes = this.#bytesMax / 1024 / 1024;
    return new AppError('PAYLOAD_TOO_LARGE', `A row can be at most ${megabytes} MB; ${unread}`);
  }

  #endWith(error: unknown): void {
    this.#isOver = true;
    const line = this.#line + this.#parser.info.empty_lines - this.#emptyLines;
    this.#rows.push({ line, bytes: 0, cells: [], fault: toFault(error) });
  }
}

/** @throws what is no fault of the table */
function toFault(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED') {
    return new AppError('BAD_REQUEST', 'A quote is opened in this row and never closed to the end');
  }
  throw error;
}

function countOf(part: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}
