import type { Bitset } from '../../bits/bitset.ts';

/**
 * The values of one field and one type: pairs (ordinal, value) in ascending ordinal order, an array's elements side by side. Only
 * documents that have the field cost anything, so that a thousand rare fields stay small; a scan is one pass over two arrays, and
 * one document's values are found by binary search, at once where every document has one value.
 * Removed documents' pairs stay until they are the larger half, then one pass drops them.
 */
export type Values = Float64Array | Uint32Array | Uint8Array;

const roomAtLeast = 8;

export class EntryList {
  #ordinals: Uint32Array;
  #values: Values;
  #size: number;
  #dead = 0;

  constructor(values: Values, ordinals: Uint32Array = new Uint32Array(values.length), size = 0) {
    this.#values = values;
    this.#ordinals = ordinals;
    this.#size = size;
  }

  get size(): number {
    return this.#size;
  }
  /** Whether a document that is still there has a value. */
  get hasLive(): boolean {
    return this.#dead < this.#size;
  }
  /** Ordinals of the pairs; only the first `size` count. */
  get ordinals(): Uint32Array {
    return this.#ordinals;
  }
  /** Values of the pairs; only the first `size` count. */
  get values(): Values {
    return this.#values;
  }
  get memoryBytes(): number {
    return this.#ordinals.byteLength + this.#values.byteLength;
  }

  /** Adds one value. An ordinal below the last is put in its place, at the price of moving what follows. */
  add(ordinal: number, value: number): void {
    if (this.#size === this.#ordinals.length) this.#grow();
    let place = this.#size;
    if (place > 0 && (this.#ordinals[place - 1] ?? 0) > ordinal) {
      place = this.end(ordinal);
      this.#ordinals.copyWithin(place + 1, place, this.#size);
      this.#values.copyWithin(place + 1, place, this.#size);
    }
    this.#ordinals[place] = ordinal;
    this.#values[place] = value;
    this.#size++;
  }

  /** The place of a document's first value, or where it would stand. */
  start(ordinal: number): number {
    const ordinals = this.#ordinals;
    if (
      ordinal < this.#size &&
      ordinals[ordinal] === ordinal &&
      (ordinal === 0 || ordinals[ordinal - 1] !== ordinal)
    ) {
      return ordinal;
    }
    let low = 0;
    let high = this.#size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ordinals[middle] ?? 0) < ordinal) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The place after a document's last value. */
  end(ordinal: number): number {
    let place = this.start(ordinal);
    while (place < this.#size && this.#ordinals[place] === ordinal) place++;
    return place;
  }

  has(ordinal: number): boolean {
    const place = this.start(ordinal);
    return place < this.#size && this.#ordinals[place] === ordinal;
  }

  /** Counts a document's pairs as dead; true when it is time to `compact`. */
  bury(ordinal: number): boolean {
    this.#dead += this.end(ordinal) - this.start(ordinal);
    return this.#dead > 64 && this.#dead * 2 > this.#size;
  }

  /** Drops the pairs of the removed documents and gives unused memory back. */
  compact(removed: Bitset): void {
    let kept = 0;
    for (let place = 0; place < this.#size; place++) {
      const ordinal = this.#ordinals[place] ?? 0;
      if (removed.has(ordinal)) continue;
      this.#ordinals[kept] = ordinal;
      this.#values[kept] = this.#values[place] ?? 0;
      kept++;
    }
    this.#size = kept;
    this.#dead = 0;
    this.#ordinals = this.#ordinals.slice(0, Math.max(kept, roomAtLeast));
    this.#values = this.#values.slice(0, Math.max(kept, roomAtLeast));
  }

  /** Gives living documents their new ordinals, in the same order. */
  renumber(ordinals: Int32Array): void {
    for (let place = 0; place < this.#size; place++)
      this.#ordinals[place] = ordinals[this.#ordinals[place] ?? 0] ?? 0;
  }

  #grow(): void {
    // By half, not by two: columns are most of an index's memory beside postings and vectors.
    const room = Math.max(roomAtLeast, this.#ordinals.length + (this.#ordinals.length >>> 1));
    const ordinals = new Uint32Array(room);
    ordinals.set(this.#ordinals);
    this.#ordinals = ordinals;
    const values = new (this.#values.constructor as new (length: number) => Values)(room);
    values.set(this.#values);
    this.#values = values;
  }
}
