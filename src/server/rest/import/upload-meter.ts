import type { Held } from '#server/admission/byte-shares.ts';
import { AppError } from '#server/errors.ts';
import { limits } from '#shared/limits.ts';

/** Of a row that has begun, what is not counted beside those of others. */
const freeBytes = 64 * 1024;

/**
 * Counts the bytes of an upload that are in memory: from their arrival until their row's result is known. Whole rows have the budget of all
 * imports; a large row that has begun, whose sender may take its time, is held of the bodies' memory.
 */
export class UploadMeter {
  readonly #hold: (() => Held) | null;
  #held: Held | null = null;
  #heldBytes = 0;
  #rowBytes: number[] = [];
  #settledRows = 0;
  #inRows = 0;
  #isOver = false;
  totalBytes = 0;
  peakBytes = 0;

  /** @param hold something new to be held by; null: nothing is held */
  constructor(hold: (() => Held) | null = null) {
    this.#hold = hold;
  }

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
   * @throws AppError UNAVAILABLE where there is no room beside those of others; INTERNAL above the promised limit, which is a fault of ours: this
   * upload fails rather than the process; BAD_REQUEST behind its end, so that nobody reads on
   */
  chunkRead(chunkBytes: number, pendingBytes: number): void {
    // A canceled import ends while its reader still waits for the sender. What comes then would be held for good.
    if (this.#isOver) throw new AppError('BAD_REQUEST', 'The import has ended');
    this.totalBytes += chunkBytes;
    const bytes = this.#inRows + pendingBytes;
    this.peakBytes = Math.max(this.peakBytes, bytes);
    this.#holdOpen(pendingBytes - chunkBytes);
    if (bytes > limits.importBufferBytesMax) {
      throw new AppError('INTERNAL', 'Something went wrong on our side', {
        cause: new Error(`an import holds ${bytes} bytes, more than ${limits.importBufferBytesMax}`),
      });
    }
  }

  /** Nothing more of the upload is in memory. */
  end(): void {
    this.#isOver = true;
    this.#holdOpen(0);
  }

  #holdOpen(openBytes: number): void {
    if (openBytes < this.#heldBytes) {
      this.#held?.release();
      this.#held = null;
      this.#heldBytes = 0;
    }
    if (openBytes <= freeBytes || this.#hold === null) return;
    this.#held ??= this.#hold();
    this.#held.raiseTo(openBytes);
    this.#heldBytes = openBytes;
  }
}
