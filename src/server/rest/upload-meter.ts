/** The bytes of an element that began in an earlier chunk. Past the limit it keeps nothing, only that it is too much. */
export class HeldBytes {
  readonly #bytesMax: number;
  #parts: Uint8Array[] = [];
  #isTooMuch = false;
  length = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** `part` may be a view of a chunk that its owner reuses: it is copied. */
  add(part: Uint8Array): void {
    if (this.#isTooMuch || part.byteLength === 0) return;
    if (this.length + part.byteLength > this.#bytesMax) {
      this.#isTooMuch = true;
      this.#parts = [];
      this.length = 0;
      return;
    }
    // Not `slice()`, which for a Buffer is another view.
    this.#parts.push(new Uint8Array(part));
    this.length += part.byteLength;
  }

  /** All of it with `last` behind, or null when that is more than the limit; holds nothing afterwards. */
  take(last: Uint8Array): Uint8Array | null {
    const isTooMuch = this.#isTooMuch || this.length + last.byteLength > this.#bytesMax;
    const whole = isTooMuch ? null : this.length === 0 ? last : Buffer.concat([...this.#parts, last]);
    this.#parts = [];
    this.#isTooMuch = false;
    this.length = 0;
    return whole;
  }
}
