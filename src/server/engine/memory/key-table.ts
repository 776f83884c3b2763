/**
 * Finds an element of a `BytesList` by its bytes. A key that is put again takes over its slot, so the newest element with these bytes is
 * found. Nothing is removed: owners mark elements dead.
 */
import { type Steps, stepUnits } from '../steps.ts';
import type { BytesList } from './bytes-list.ts';
import { hashBytes } from './hash.ts';
import { HashSlots } from './hash-slots.ts';

/** Keys that are hashed without a pause. */
const stepKeys = stepUnits / 4;

export class KeyTable {
  readonly #keys: BytesList;
  readonly #slots = new HashSlots();

  /** Of a list that is still empty. */
  constructor(keys: BytesList) {
    this.#keys = keys;
  }

  /** Of all that a list has. */
  static *of(keys: BytesList): Steps<KeyTable> {
    const table = new KeyTable(keys);
    yield* table.#slots.reserve(keys.count, keys.count);
    for (let element = 0; element < keys.count; element += 1) {
      table.put(element);
      if ((element + 1) % stepKeys === 0) yield;
    }
    return table;
  }

  get memoryBytes(): number {
    return this.#slots.memoryBytes;
  }

  hasRoom(count: number): boolean {
    return this.#slots.hasRoom(this.#keys.count + count, count);
  }

  /** Makes room for so many more keys. */
  reserve(count: number): Steps<void> {
    return this.#slots.reserve(this.#keys.count + count, count);
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

  /** Puts an element whose key is known to be new. */
  add(element: number, key: Uint8Array): void {
    this.#slots.add(element, hashBytes(key));
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
