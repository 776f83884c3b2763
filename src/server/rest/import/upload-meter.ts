import { AppError } from '#server/errors.ts';
import { limits } from '#shared/limits.ts';

/** Counts the bytes of an upload that are in memory: from their arrival until their row's result is known. */
export class UploadMeter {
  #rowBytes: number[] = [];
  #settledRows = 0;
  #inRows = 0;
  totalBytes = 0;
  peakBytes = 0;

  rowSplit(bytes: number): void {
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

  /**
   * `pendingBytes`: the chunk just read and the element that has begun.
   * @throws AppError INTERNAL above the promised limit, which is a fault of ours: this upload fails rather than the process
   */
  chunkRead(chunkBytes: number, pendingBytes: number): void {
    this.totalBytes += chunkBytes;
    const bytes = this.#inRows + pendingBytes;
    this.peakBytes = Math.max(this.peakBytes, bytes);
    if (bytes > limits.importBufferBytesMax) {
      throw new AppError('INTERNAL', 'Something went wrong on our side', {
        cause: new Error(`an import holds ${bytes} bytes, more than ${limits.importBufferBytesMax}`),
      });
    }
  }
}
