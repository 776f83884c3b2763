import { AppError } from '#server/errors.ts';
import type { TableReading } from '#server/wire/import-row.ts';
import { decodeInner } from '#server/wire/json.ts';
import type { Splitter, TablePiece } from '../splitter.ts';
import { columnsOf, delimiters, fieldsOf, guessDelimiter } from './columns.ts';
import { readCells } from './read-cells.ts';
import { type RowBytes, RowBytesReader } from './row-bytes.ts';
import { Utf8Chunks } from './utf8-chunks.ts';

/** So many rows are looked at before the first goes on, to tell the types of the columns. */
const sampleRows = 100;
const sampleBytesMax = 256 * 1024;

type Held = { line: number; bytes: number } & ({ cells: string[] } | { fault: AppError });

/**
 * Splits CSV or TSV with a header line into rows. A row that cannot be read is its own fault, as is one with more or fewer cells than the
 * header; a header that cannot be read is the fault of the whole upload.
 */
export function createTableSplitter(
  { delimiter, mapping }: TableReading,
  { charset, bytesMax }: { charset: string | null; bytesMax: number },
): Splitter {
  const utf8 = new Utf8Chunks(charset);
  const reader = new RowBytesReader(bytesMax, delimiter ?? delimiters.join(''));
  let known = delimiter;
  let fields: (string | null)[] | null = null;
  let columns: ReturnType<typeof columnsOf> | null = null;
  let sample: Held[] = [];
  let sampleBytes = 0;
  let isBroken = false;

  function* take(row: RowBytes): Generator<TablePiece> {
    if (isBroken) return;
    if (fields === null) {
      const fault = readHeader(row);
      if (fault === null) return;
      isBroken = true;
      yield { line: row.line, fault };
      return;
    }
    const held = read(row, fields);
    if (columns !== null) {
      yield toPiece(held, columns);
      return;
    }
    sample.push(held);
    sampleBytes += held.bytes;
    if (sample.length >= sampleRows || sampleBytes >= sampleBytesMax) yield* release(fields);
  }

  /** What is wrong with it. */
  function readHeader(row: RowBytes): AppError | null {
    try {
      known ??= guessDelimiter(textOf(row));
      reader.delimiter = known;
      fields = fieldsOf(cellsOf(row), mapping);
      return null;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { code, details } = error;
      return new AppError(code, `The header: ${error.message}`, { ...(details && { details }) });
    }
  }

  function read(row: RowBytes, fields: (string | null)[]): Held {
    const held = { line: row.line, bytes: row.bytes?.byteLength ?? 0 };
    try {
      return { ...held, cells: fitting(cellsOf(row), fields) };
    } catch (error) {
      if (error instanceof AppError) return { ...held, fault: error };
      throw error;
    }
  }

  /** @throws AppError */
  function cellsOf(row: RowBytes): string[] {
    const cells = readCells(textOf(row), known ?? ',');
    if (Array.isArray(cells)) return cells;
    throw new AppError('BAD_REQUEST', `The row ${cells.fault}`);
  }

  function* release(fields: (string | null)[]): Generator<TablePiece> {
    const rows = sample.flatMap((held) => ('cells' in held ? [held.cells] : []));
    columns = columnsOf(fields, rows);
    for (const held of sample) yield toPiece(held, columns);
    sample = [];
    sampleBytes = 0;
  }

  return {
    *push(chunk) {
      for (const row of reader.push(utf8.read(chunk))) yield* take(row);
    },
    *end() {
      for (const row of reader.push(utf8.end())) yield* take(row);
      for (const row of reader.end()) yield* take(row);
      if (fields === null && !isBroken)
        yield {
          line: 1,
          fault: new AppError('BAD_REQUEST', 'Expected a header line that names the columns'),
        };
      else if (fields !== null && columns === null) yield* release(fields);
    },
    get bufferedBytes() {
      return reader.bufferedBytes + sampleBytes;
    },
  };
}

/** @throws AppError */
function textOf({ bytes, isOpen }: RowBytes): string {
  if (bytes === null) throw new AppError('PAYLOAD_TOO_LARGE', 'A row can be at most 4 MB');
  if (isOpen) throw new AppError('BAD_REQUEST', 'A quote is opened in this row and never closed to the end');
  return decodeInner(bytes);
}

/** As many cells as there are columns; further ones, and those of columns without a name, must be empty. @throws AppError BAD_REQUEST */
function fitting(cells: string[], fields: (string | null)[]): string[] {
  if (cells.length < fields.length || cells.slice(fields.length).some((cell) => cell !== '')) {
    throw new AppError('BAD_REQUEST', `The row has ${cells.length} cells, the header has ${fields.length}`);
  }
  const nameless = fields.findIndex((field, place) => field === '' && cells[place] !== '');
  if (nameless !== -1) {
    throw new AppError('BAD_REQUEST', `Cell ${nameless + 1} of the row is in a column without a name`);
  }
  return cells.slice(0, fields.length);
}

function toPiece(held: Held, columns: ReturnType<typeof columnsOf>): TablePiece {
  const { line } = held;
  return 'cells' in held ? { line, columns, cells: held.cells } : { line, fault: held.fault };
}
