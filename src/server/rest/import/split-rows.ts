import { AppError } from '#server/errors.ts';
import type { ImportRow } from '#server/wire/import-row.ts';
import { decodeUtf8 } from '#server/wire/json.ts';
import { limits } from '#shared/limits.ts';
import { createArraySplitter } from './array-splitter.ts';
import { createLineSplitter } from './line-splitter.ts';
import type { Piece } from './splitter.ts';
import type { UploadMeter } from './upload-meter.ts';

/** Splits an upload into its rows. Pulls the next chunk only when its reader has taken all rows of the last one. */
export async function* splitRows(
  chunks: AsyncIterable<Uint8Array>,
  format: 'array' | 'lines',
  meter: UploadMeter,
): AsyncGenerator<ImportRow> {
  const splitter =
    format === 'array'
      ? createArraySplitter(limits.documentBytesMax)
      : createLineSplitter(limits.documentBytesMax);
  let index = 0;
  const next = (piece: Piece): ImportRow => {
    meter.rowSplit(piece instanceof Uint8Array ? piece.byteLength : 0);
    return toRow(piece, index++);
  };
  for await (const chunk of chunks) {
    meter.chunkRead(chunk.byteLength, splitter.bufferedBytes + chunk.byteLength);
    for (const piece of splitter.push(chunk)) yield next(piece);
  }
  for (const piece of splitter.end()) yield next(piece);
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
