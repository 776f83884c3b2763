import { AppError } from '#server/errors.ts';
import { charactersOf, type ImportRow } from '#server/wire/import-row.ts';
import { decodeUtf8 } from '#server/wire/json.ts';
import { limits } from '#shared/limits.ts';
import { createArraySplitter } from './array-splitter.ts';
import { splitTable, type TableFormat } from './csv/split-table.ts';
import { createLineSplitter } from './line-splitter.ts';
import type { Piece, Splitter } from './splitter.ts';
import type { UploadMeter } from './upload-meter.ts';

/** How an upload is cut into rows. */
export type RowFormat = 'array' | 'lines' | TableFormat;

/** Splits an upload into its rows. Pulls the next chunk only when its reader has taken all rows of the last one. */
export async function* splitRows(
  chunks: AsyncIterable<Uint8Array>,
  format: RowFormat,
  meter: UploadMeter,
): AsyncGenerator<ImportRow> {
  let index = 0;
  if (typeof format === 'object') {
    for await (const piece of splitTable(chunks, format, meter)) {
      const row: ImportRow = { index: index++, ...piece };
      meter.rowSplit(charactersOf(row));
      yield row;
    }
    return;
  }
  const splitter = splitterOf(format);
  const next = (piece: Piece): ImportRow => {
    const row = toRow(piece, index++);
    meter.rowSplit(piece instanceof Uint8Array ? piece.byteLength : charactersOf(row));
    return row;
  };
  for await (const chunk of chunks) {
    meter.chunkRead(chunk.byteLength, splitter.bufferedBytes + chunk.byteLength);
    for (const piece of splitter.push(chunk)) yield next(piece);
  }
  for (const piece of splitter.end()) yield next(piece);
}

function splitterOf(format: 'array' | 'lines'): Splitter {
  const bytesMax = limits.documentBytesMax;
  return format === 'array' ? createArraySplitter(bytesMax) : createLineSplitter(bytesMax);
}

function toRow(piece: Piece, index: number): ImportRow {
  if (piece === null) {
    const megabytes = limits.documentBytesMax / 1024 / 1024;
    return { index, fault: new AppError('PAYLOAD_TOO_LARGE', `A document can be at most ${megabytes} MB`) };
  }
  if (!(piece instanceof Uint8Array)) return { index, fault: new AppError('BAD_REQUEST', piece.fault) };
  try {
    return { index, text: decodeUtf8(piece) };
  } catch (error) {
    if (error instanceof AppError) return { index, fault: error };
    throw error;
  }
}
