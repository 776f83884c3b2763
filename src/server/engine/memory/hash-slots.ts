/**
 * Finds elements by the hash of their keys: open addressing with linear probing, at most two thirds full. Whether an element with the right
 * hash is the wanted one is for the owner to say, who walks: `first`, then `next` until `elementAt` is −1. Nothing is removed.
 */
import { withRoom } from './with-room.ts';

export class HashSlots {
  /** Element + 1; 0 is free. */
  #slots = new Int32Array(16);
  /** By element: kept, because growing and passing over others would read the key of each (a third of the time to index). */
  #hashes = new Uint32Array(16);
  #used = 0;

  get memoryBytes(): number {
    return this.#slots.byteLength + this.#hashes.byteLength;
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

  /** Puts an element into a slot that the walk for its hash ended at: a free one, or that of the element it takes the place of. */
  put(slot: number, element: number, hash: number): void {
    this.#hashes = withRoom(this.#hashes, element + 1);
    this.#hashes[element] = hash;
    if (this.#slots[slot] === 0) this.#used += 1;
    this.#slots[slot] = element + 1;
    if ((this.#used + 1) * 3 > this.#slots.length * 2) this.#grow();
  }

  /** Puts an element that is known to be new. */
  add(element: number, hash: number): void {
    let slot = this.first(hash);
    while (this.#slots[slot] !== 0) slot = this.next(slot);
    this.put(slot, element, hash);
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Int32Array(before.length * 2);
    for (const entry of before) {
      if (entry === 0) continue;
      let slot = this.first(this.hashOf(entry - 1));
      while (this.#slots[slot] !== 0) slot = this.next(slot);
      this.#slots[slot] = entry;
    }
  }
}
