import { AppError } from '#server/errors.ts';
import { decodeUtf8 } from '#server/wire/json.ts';
import { limits } from '#shared/limits.ts';
import { createArrayCutter } from './json-array-splitter.ts';
import { createLineCutter } from './line-splitter.ts';

/** One element of an upload, in order: its JSON text, or why it could not even be cut out of the stream. */
export type ImportRow = { index: number; text: string } | { index: number; fault: AppError };

/**
 * What a cutter makes of a chunk: the bytes of an element; `null` for one that outgrew the limit, whose rest was skipped;
 * or what is wrong with the text between the elements.
 */
export type Cut = Uint8Array | null | { fault: string };

export interface Cutter {
  /** Elements that end in this chunk. Keeps the bytes of one that has begun, never more than the limit. */
  push(chunk: Uint8Array): Iterable<Cut>;
  /** What the end of the upload makes of the rest. */
  end(): Iterable<Cut>;
  /** Bytes of an element that has begun. */
  readonly heldBytes: number;
}

/** Counts the bytes of an upload that are in memory: from their arrival until their row's result is known. */
export class UploadMeter {
  #rowBytes: number[] = [];
  #settledRows = 0;
  #inRows = 0;
  totalBytes = 0;
  peakBytes = 0;

  rowCut(bytes: number): void {
    this.#rowBytes.push(bytes);
    this.#inRows += bytes;
  }

  /** Results come in the rows' order. */
  rowSettled(): void {
    this.#inRows -= this.#rowBytes[this.#settledRows++] ?? 0;
    if (this.#settledRows < 4_096) return;
    this.#rowBytes = this.#rowBytes.slice(this.#settledRows);
    this.#settledRows = 0;
  }

  /** @throws AppError INTERNAL when more is held than promised, which would be a fault of ours: better this upload than the process */
  held(chunkBytes: number): void {
    const bytes = this.#inRows + chunkBytes;
    this.peakBytes = Math.max(this.peakBytes, bytes);
    if (bytes > limits.importBufferBytesMax) {
      throw new AppError('INTERNAL', 'Something went wrong on our side', {
        cause: new Error(`an import holds ${bytes} bytes, more than ${limits.importBufferBytesMax}`),
      });
    }
  }
}

/** Cuts an upload into its elements. Pulls the next chunk only when its reader has taken all rows of the last one. */
export async function* cutRows(
  chunks: AsyncIterable<Uint8Array>,
  format: 'array' | 'lines',
  meter: UploadMeter,
): AsyncGenerator<ImportRow> {
  const cutter =
    format === 'array'
      ? createArrayCutter(limits.documentBytesMax)
      : createLineCutter(limits.documentBytesMax);
  let index = 0;
  for await (const chunk of chunks) {
    meter.totalBytes += chunk.byteLength;
    meter.held(cutter.heldBytes + chunk.byteLength);
    for (const cut of cutter.push(chunk)) {
      const row = toRow(cut, index++);
      meter.rowCut(cut instanceof Uint8Array ? cut.byteLength : 0);
      yield row;
    }
  }
  for (const cut of cutter.end()) {
    meter.rowCut(cut instanceof Uint8Array ? cut.byteLength : 0);
    yield toRow(cut, index++);
  }
}

function toRow(cut: Cut, index: number): ImportRow {
  if (cut === null) {
    const megabytes = limits.documentBytesMax / 1024 / 1024;
    return { index, fault: new AppError('PAYLOAD_TOO_LARGE', `A document can be at most ${megabytes} MB`) };
  }
  if (!(cut instanceof Uint8Array)) return { index, fault: new AppError('BAD_REQUEST', cut.fault) };
  try {
    return { index, text: decodeUtf8(cut) };
  } catch (error) {
    if (error instanceof AppError) return { index, fault: error };
    throw error;
  }
}
