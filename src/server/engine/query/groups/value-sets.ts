import { hashNumbers } from '../../memory/hash.ts';
import { HashSlots } from '../../memory/hash-slots.ts';
import { withRoom } from '../../memory/with-room.ts';

/** Rows of numbers that were met, each different from all others. */
export class ValueSets {
  readonly #slots = new HashSlots();
  /** Of all rows, one behind the other. */
  #values = new Float64Array(64);
  /** By row: where it begins, and behind the last one. */
  #starts = new Int32Array(8);
  #count = 0;

  /** The number of the row that is the first `size` of these numbers; a new one has the one that is next. */
  numberOf(row: Float64Array, size: number): number {
    const slots = this.#slots;
    const hash = hashNumbers(row, size);
    let slot = slots.first(hash);
    for (; ; slot = slots.next(slot)) {
      const known = slots.elementAt(slot);
      if (known < 0) break;
      if (slots.hashOf(known) === hash && this.#isRow(known, row, size)) return known;
    }
    const number = this.#count;
    slots.put(slot, number, hash);
    this.#append(row, size);
    return number;
  }

  #isRow(number: number, row: Float64Array, size: number): boolean {
    const start = this.#starts[number] ?? 0;
    if ((this.#starts[number + 1] ?? 0) - start !== size) return false;
    for (let i = 0; i < size; i += 1) if (this.#values[start + i] !== row[i]) return false;
    return true;
  }

  #append(row: Float64Array, size: number): void {
    const start = this.#starts[this.#count] ?? 0;
    this.#values = withRoom(this.#values, start + size);
    for (let i = 0; i < size; i += 1) this.#values[start + i] = row[i] ?? 0;
    this.#count += 1;
    this.#starts = withRoom(this.#starts, this.#count + 1);
    this.#starts[this.#count] = start + size;
  }
}
