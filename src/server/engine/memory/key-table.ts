/**
 * Finds an element of a `BytesList` by its bytes: open addressing with linear probing, at most two thirds full. A key that is put
 * again takes over its slot, so the newest element with these bytes is found. Nothing is removed: owners mark elements dead.
 */
import { compareBytes, hashBytes } from './bytes.ts';
import type { BytesList } from './bytes-list.ts';
import { withRoom } from './growable.ts';

export class KeyTable {
  readonly #keys: BytesList;
  /** Element + 1; 0 is free. */
  #slots = new Int32Array(16);
  /** By element: kept, because growing and passing over others would read the bytes of each (a third of the time to index). */
  #hashes = new Uint32Array(16);
  #used = 0;

  constructor(keys: BytesList) {
    this.#keys = keys;
    for (let element = 0; element < keys.count; element += 1) this.put(element);
  }

  get memoryBytes(): number {
    return this.#slots.byteLength + this.#hashes.byteLength;
  }

  /** −1: none. */
  find(key: Uint8Array): number {
    return (this.#slots[this.#slotOf(key, hashBytes(key))] ?? 0) - 1;
  }

  put(element: number): void {
    if ((this.#used + 1) * 3 > this.#slots.length * 2) this.#grow();
    const key = this.#keys.at(element);
    const hash = hashBytes(key);
    this.#hashes = withRoom(this.#hashes, element + 1);
    this.#hashes[element] = hash;
    const slot = this.#slotOf(key, hash);
    if (this.#slots[slot] === 0) this.#used += 1;
    this.#slots[slot] = element + 1;
  }

  /** The key's slot, or the free one where it belongs. */
  #slotOf(key: Uint8Array, hash: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const element = (this.#slots[slot] ?? 0) - 1;
      if (element < 0) return slot;
      if (this.#hashes[element] === hash && compareBytes(this.#keys.at(element), key) === 0) return slot;
    }
  }

  /** Keys in the table differ, so a free slot is all that each needs. */
  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (const entry of this.#slots) {
      if (entry === 0) continue;
      let slot = (this.#hashes[entry - 1] ?? 0) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = entry;
    }
    this.#slots = slots;
  }
}
