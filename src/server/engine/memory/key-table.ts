/**
 * Finds an element of a `BytesList` by its bytes. A key that is put again takes over its slot, so the newest element with these bytes is
 * found. Nothing is removed: owners mark elements dead.
 */
import type { BytesList } from './bytes-list.ts';
import { hashBytes } from './hash.ts';
import { HashSlots } from './hash-slots.ts';

export class KeyTable {
  readonly #keys: BytesList;
  readonly #slots = new HashSlots();

  constructor(keys: BytesList) {
    this.#keys = keys;
    for (let element = 0; element < keys.count; element += 1) this.put(element);
  }

  get memoryBytes(): number {
    return this.#slots.memoryBytes;
  }

  /** −1: none. */
  find(key: Uint8Array): number {
    return this.#slots.elementAt(this.#slotOf(key, hashBytes(key)));
  }

  put(element: number): void {
    const key = this.#keys.at(element);
    const hash = hashBytes(key);
    this.#slots.put(this.#slotOf(key, hash), element, hash);
  }

  /** The key's slot, or the free one where it belongs. */
  #slotOf(key: Uint8Array, hash: number): number {
    const slots = this.#slots;
    let slot = slots.first(hash);
    for (; ; slot = slots.next(slot)) {
      const element = slots.elementAt(slot);
      if (element < 0) return slot;
      if (slots.hashOf(element) === hash && this.#keys.isAt(element, key)) return slot;
    }
  }
}
