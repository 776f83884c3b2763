import { AppError } from '#server/errors.ts';
import type { TableReading } from '#server/wire/import-row.ts';
import { limits } from '#shared/limits.ts';
import type { TablePiece } from '../splitter.ts';
import type { UploadMeter } from '../upload-meter.ts';
import { guessDelimiter, headBytes } from './guess-delimiter.ts';
import { type ParsedRow, TableParser } from './table-parser.ts';
import { TableRows } from './table-rows.ts';
import { Utf8Chunks } from './utf8-chunks.ts';

export interface TableFormat {
  table: TableReading;
  charset: string | null;
  /** Waited for where there is much to read and no row; absent: nobody else has work. */
  turn?: () => Promise<void>;
}

/**
 * Splits CSV or TSV with a header line into rows. A row that cannot be read is its own fault, as is one with more or fewer cells than the
 * header; a header that cannot be read is the fault of the whole upload.
 */
export async function* splitTable(
  chunks: AsyncIterable<Uint8Array>,
  { table: { delimiter, mapping }, charset, turn }: TableFormat,
  meter: Pick<UploadMeter, 'chunkRead'>,
): AsyncGenerator<TablePiece> {
  let rows: TableRows | null = null;
  let parser: TableParser | null = null;
  const noteChunk = (bytes: number) =>
    meter.chunkRead(bytes, bytes + (parser?.openBytes ?? 0) + (rows?.heldBytes ?? 0));
  const utf8 = new Utf8Chunks(charset);
  const inUtf8 = utf8Of(chunks, utf8, noteChunk);
  for await (const bytes of delimiter === undefined ? withHead(inUtf8) : inUtf8) {
    const told = delimiter ?? (rows === null ? guessDelimiter(bytes) : '');
    rows ??= new TableRows({ mapping, delimiter: told });
    if (rows.isOver) continue;
    parser ??= new TableParser(told, limits.documentBytesMax, turn);
    for await (const row of parser.push(bytes)) yield* rows.take(checked(row, utf8));
  }
  rows ??= new TableRows({ mapping, delimiter: delimiter ?? ',' });
  if (parser !== null) for await (const row of parser.end()) yield* rows.take(checked(row, utf8));
  yield* rows.end();
}

async function* utf8Of(
  chunks: AsyncIterable<Uint8Array>,
  utf8: Utf8Chunks,
  noteChunk: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    noteChunk(chunk.byteLength);
    yield utf8.read(chunk);
  }
  yield utf8.end();
}

/** As bytes that are no UTF-8, those that are none of the table's encoding are their row's fault. */
function checked(row: ParsedRow, { badBytesEncoding }: Utf8Chunks): ParsedRow {
  if (badBytesEncoding === null || row.fault !== null) return row;
  if (!row.cells.some((cell) => cell.includes('\ufffd'))) return row;
  return { ...row, fault: new AppError('BAD_REQUEST', `This is not valid ${badBytesEncoding}`) };
}

/** The same bytes; of those that tell the delimiter all that there are come at once. */
async function* withHead(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | null = new Uint8Array(0);
  for await (const chunk of chunks) {
    if (head === null) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < headBytes) continue;
    yield head;
    head = null;
  }
  if (head !== null) yield head;
}
