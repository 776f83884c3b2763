import type { Bitset } from '../../bits/bitset.ts';
import type { SectionReader, SectionWriter } from '../../memory/sections.ts';
import { roomSteps, withRoom } from '../../memory/with-room.ts';
import { isPauseDue, type Steps, stepUnits } from '../../steps.ts';
import { KeptHolders } from './kept-holders.ts';

/**
 * The values of one field and one type: pairs (ordinal, value) in ascending ordinal order, an array's elements side by side. Only
 * documents that have the field cost anything, so that a thousand rare fields stay small; a scan is one pass over two arrays, and
 * one document's values are found by binary search, at once where every document has one value.
 * Removed documents' pairs stay until they are the larger half, then one pass drops them.
 */
export type Values = Float64Array | Uint32Array | Uint8Array;

/** Of work, to copy a pair, and one whose text may have to be read. */
const pairUnits = 4;
const recodedUnits = 32;

export class EntryList {
  #ordinals = new Uint32Array(0);
  #values: Values;
  #size = 0;
  /** Pairs of removed documents. */
  #dead = 0;
  #documentCount = 0;
  /** Who has values that filters ask for. */
  readonly holders = new KeptHolders();

  /** `values` is empty and says which kind of numbers the list holds. */
  constructor(values: Values) {
    this.#values = values;
  }

  get size(): number {
    return this.#size;
  }
  /** Documents that are still there and have a value. */
  get documentCount(): number {
    return this.#documentCount;
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
    return this.#ordinals.byteLength + this.#values.byteLength + this.holders.bytes;
  }

  hasRoom(count: number): boolean {
    return this.#size + count <= this.#ordinals.length;
  }

  /** Makes room for so many more. */
  *reserve(count: number): Steps<void> {
    if (this.hasRoom(count)) return;
    this.#ordinals = yield* roomSteps(this.#ordinals, this.#size + count);
    this.#values = yield* roomSteps(this.#values, this.#size + count);
  }

  /** Ordinals must come in ascending order. */
  add(ordinal: number, value: number): void {
    const place = this.#size;
    if (place === 0 || this.#ordinals[place - 1] !== ordinal) this.#documentCount += 1;
    this.#size = place + 1;
    this.#ordinals = withRoom(this.#ordinals, this.#size);
    this.#values = withRoom(this.#values, this.#size);
    this.#ordinals[place] = ordinal;
    this.#values[place] = value;
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
    return this.#startBetween(ordinal, 0, this.#size);
  }

  /** The same, near a place that does not lie behind it: as many steps as the logarithm of how far it is. */
  startFrom(ordinal: number, from: number): number {
    const ordinals = this.#ordinals;
    let [low, high] = [from, from];
    for (let stride = 1; high < this.#size && (ordinals[high] ?? 0) < ordinal; stride *= 2) {
      low = high + 1;
      high += stride;
    }
    return this.#startBetween(ordinal, low, Math.min(high, this.#size));
  }

  #startBetween(ordinal: number, from: number, to: number): number {
    const ordinals = this.#ordinals;
    let [low, high] = [from, to];
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
    while (this.isOf(ordinal, place)) place++;
    return place;
  }

  has(ordinal: number): boolean {
    return this.isOf(ordinal, this.start(ordinal));
  }

  /** Whether the value at a place is a document's. */
  isOf(ordinal: number, place: number): boolean {
    return place < this.#size && this.#ordinals[place] === ordinal;
  }

  /** Counts a document, which has values, as gone and its pairs as dead; true when it is time to `compact`. */
  bury(ordinal: number): boolean {
    this.#documentCount -= 1;
    this.#dead += this.end(ordinal) - this.start(ordinal);
    return this.#dead > 64 && this.#dead * 2 > this.#size;
  }

  /** Drops the pairs of the removed documents and gives unused memory back. */
  *compact(removed: Bitset): Steps<void> {
    this.holders.forget();
    let kept = 0;
    for (let place = 0; place < this.#size; place++) {
      const ordinal = this.#ordinals[place] ?? 0;
      if (!removed.has(ordinal)) {
        this.#ordinals[kept] = ordinal;
        this.#values[kept] = this.#values[place] ?? 0;
        kept++;
      }
      if ((place + 1) % stepUnits === 0) yield;
    }
    this.#size = kept;
    this.#dead = 0;
    this.#ordinals = this.#ordinals.slice(0, kept);
    this.#values = this.#values.slice(0, kept);
  }

  /**
   * The pairs of documents that have new ordinals, in the same order; −1: it has none. `recoded`: the value in place of another. Pairs may come behind these between two steps, none may
   * be dropped.
   */
  *compacted(ordinals: Int32Array, recoded?: (value: number) => number): Steps<EntryList> {
    const list = new EntryList(this.#values.slice(0, 0));
    const size = this.#size;
    for (let place = 0; place < size; place++) {
      const ordinal = this.#ordinals[place] ?? 0;
      if (ordinal >= ordinals.length) break;
      const moved = ordinals[ordinal] ?? -1;
      const value = this.#values[place] ?? 0;
      if (moved >= 0) {
        if (!list.hasRoom(1)) yield* list.reserve(1);
        list.add(moved, recoded === undefined ? value : recoded(value));
      }
      if (isPauseDue(recoded === undefined ? pairUnits : recodedUnits)) yield;
    }
    return list;
  }

  encode(writer: SectionWriter): void {
    writer.array(this.#ordinals.subarray(0, this.#size));
    writer.array(this.#values.subarray(0, this.#size));
  }

  /** `values`: as for the constructor. */
  static *decode(reader: SectionReader, values: Values): Steps<EntryList> {
    const list = new EntryList(values);
    list.#ordinals = yield* reader.uint32();
    list.#values = yield* reader.like(values);
    list.#size = list.#ordinals.length;
    for (let place = 0; place < list.#size; place++) {
      if (place === 0 || list.#ordinals[place - 1] !== list.#ordinals[place]) list.#documentCount += 1;
      if ((place + 1) % stepUnits === 0) yield;
    }
    return list;
  }
}
