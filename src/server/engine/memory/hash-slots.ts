/**
 * Finds elements by the hash of their keys: open addressing with linear probing, at most two thirds full. Whether an element with the right
 * hash is the wanted one is for the owner to say, who walks: `first`, then `next` until `elementAt` is −1. Nothing is removed.
 */
import { type Steps, stepUnits } from '../steps.ts';
import { roomSteps, withRoom } from './with-room.ts';

export class HashSlots {
  /** Element + 1; 0 is free. */
  #slots = new Int32Array(16);
  /** By element: kept, because growing and passing over others would read the key of each (a third of the time to index). */
  #hashes = new Uint32Array(16);
  #used = 0;

  get memoryBytes(): number {
    return this.#slots.byteLength + this.#hashes.byteLength;
  }

  /** Slots that are used. */
  get used(): number {
    return this.#used;
  }

  /** The slot where the search for a hash begins. */
  first(hash: number): number {
    return hash & (this.#slots.length - 1);
  }

  next(slot: number): number {
    return (slot + 1) & (this.#slots.length - 1);
  }

  /** −1: the slot is free. */
  elementAt(slot: number): number {
    return (this.#slots[slot] ?? 0) - 1;
  }

  hashOf(element: number): number {
    return this.#hashes[element] ?? 0;
  }

  /** Whether so much can be put without growing. */
  hasRoom(end: number, count: number): boolean {
    return end <= this.#hashes.length && !isFull(this.#used + count, this.#slots.length);
  }

  /** Makes room for the elements up to `end`, `count` of them new: what is put then does not make the table grow. */
  *reserve(end: number, count: number): Steps<void> {
    this.#hashes = yield* roomSteps(this.#hashes, end);
    let length = this.#slots.length;
    while (isFull(this.#used + count, length)) length *= 2;
    if (length === this.#slots.length) return;
    const grown = new Int32Array(length);
    for (let from = 0; from < this.#slots.length; from += stepUnits) {
      this.#moveTo(grown, from, Math.min(from + stepUnits, this.#slots.length));
      yield;
    }
    this.#slots = grown;
  }

  /** Puts an element into a slot that the walk for its hash ended at: a free one, or that of the element it takes the place of. */
  put(slot: number, element: number, hash: number): void {
    this.#hashes = withRoom(this.#hashes, element + 1);
    this.#hashes[element] = hash;
    if (this.#slots[slot] === 0) this.#used += 1;
    this.#slots[slot] = element + 1;
    if (!isFull(this.#used, this.#slots.length)) return;
    const grown = new Int32Array(this.#slots.length * 2);
    this.#moveTo(grown, 0, this.#slots.length);
    this.#slots = grown;
  }

  /** Puts an element that is known to be new. */
  add(element: number, hash: number): void {
    let slot = this.first(hash);
    while (this.#slots[slot] !== 0) slot = this.next(slot);
    this.put(slot, element, hash);
  }

  #moveTo(target: Int32Array, from: number, to: number): void {
    const mask = target.length - 1;
    for (let i = from; i < to; i += 1) {
      const entry = this.#slots[i] ?? 0;
      if (entry === 0) continue;
      let slot = this.hashOf(entry - 1) & mask;
      while (target[slot] !== 0) slot = (slot + 1) & mask;
      target[slot] = entry;
    }
  }
}

const isFull = (used: number, slots: number): boolean => (used + 1) * 3 > slots * 2;
