/** The bytes of an element that began in an earlier chunk. Above the limit it keeps only the fact that the element is too large. */
export class ElementBuffer {
  readonly #bytesMax: number;
  #parts: Uint8Array[] = [];
  #isTooLarge = false;
  length = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** No element has begun, not even one that is too large. */
  get isEmpty(): boolean {
    return this.length === 0 && !this.#isTooLarge;
  }

  /** Copies `part`, which may be a view of a chunk that its owner reuses. */
  add(part: Uint8Array): void {
    if (this.#isTooLarge || part.byteLength === 0) return;
    if (this.length + part.byteLength > this.#bytesMax) {
      this.#isTooLarge = true;
      this.#parts = [];
      this.length = 0;
      return;
    }
    // Not `slice()`, which for a Buffer is another view.
    this.#parts.push(new Uint8Array(part));
    this.length += part.byteLength;
  }

  /** The whole element, ended by `last`; null when it is over the limit. The buffer is empty afterwards. */
  take(last: Uint8Array): Uint8Array | null {
    const isTooLarge = this.#isTooLarge || this.length + last.byteLength > this.#bytesMax;
    const whole = isTooLarge ? null : this.length === 0 ? last : Buffer.concat([...this.#parts, last]);
    this.#parts = [];
    this.#isTooLarge = false;
    this.length = 0;
    return whole;
  }
}
