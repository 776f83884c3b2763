/**
 * Bytes that arrive part by part and are read once, in their order. What is read is copied, so of all bytes only those are held that have
 * arrived and are not read yet. Whoever adds a part runs the reader's steps until it is waiting: it has nothing of that part any more then.
 */
import type { Steps } from '../steps.ts';

/** Copied without a pause. */
export const copiedBytesMax = 1 << 20;

export class ByteStream {
  /** That are not read to their ends, in the order in which they arrived. */
  readonly #parts: Uint8Array[] = [];
  /** Read of the first of them. */
  #offset = 0;
  #isWaiting = false;

  /** Not changed until it is read. */
  add(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#parts.push(part);
    this.#isWaiting = false;
  }

  /** All that has arrived is read, and a reader needs more: its next steps do nothing. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** The next bytes, as many as the target has. */
  *readInto(target: Uint8Array): Steps<void> {
    let done = 0;
    while (done < target.length) {
      const [part] = this.#parts;
      if (part === undefined) {
        this.#isWaiting = true;
        yield;
        continue;
      }
      const length = Math.min(copiedBytesMax, target.length - done);
      const copied = part.subarray(this.#offset, this.#offset + length);
      target.set(copied, done);
      done += copied.length;
      this.#offset += copied.length;
      if (this.#offset === part.length) {
        this.#parts.shift();
        this.#offset = 0;
      }
      if (copied.length === copiedBytesMax) yield;
    }
  }
}
