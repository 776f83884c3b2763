/**
 * Finds an element of a `BytesList` by its bytes: open addressing with linear probing, at most two thirds full. A key that is put
 * again takes over its slot, so the newest element with these bytes is found. Nothing is removed: owners mark elements dead.
 */
import { compareBytes, hashBytes } from './bytes.ts';
import type { BytesList } from './bytes-list.ts';

export class KeyTable {
  readonly #keys: BytesList;
  /** Element + 1; 0 is free. */
  #slots = new Int32Array(16);
  #used = 0;

  constructor(keys: BytesList) {
    this.#keys = keys;
    for (let element = 0; element < keys.count; element += 1) this.put(element);
  }

  get memoryBytes(): number {
    return this.#slots.byteLength;
  }

  /** −1: none. */
  find(key: Uint8Array): number {
    return (this.#slots[this.#slotOf(key)] ?? 0) - 1;
  }

  put(element: number): void {
    if ((this.#used + 1) * 3 > this.#slots.length * 2) this.#grow();
    const slot = this.#slotOf(this.#keys.at(element));
    if (this.#slots[slot] === 0) this.#used += 1;
    this.#slots[slot] = element + 1;
  }

  /** The key's slot, or the free one where it belongs. */
  #slotOf(key: Uint8Array): number {
    const mask = this.#slots.length - 1;
    for (let slot = hashBytes(key) & mask; ; slot = (slot + 1) & mask) {
      const element = (this.#slots[slot] ?? 0) - 1;
      if (element < 0 || compareBytes(this.#keys.at(element), key) === 0) return slot;
    }
  }

  #grow(): void {
    const elements = this.#slots.filter((slot) => slot > 0);
    this.#slots = new Int32Array(this.#slots.length * 2);
    for (const element of elements) this.#slots[this.#slotOf(this.#keys.at(element - 1))] = element;
  }
}
