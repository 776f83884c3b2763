/**
 * How often each of some numbers was met: the words or terms of one document. An array over all numbers there are, since a map grows in one
 * go: at a million entries that holds the thread for a twentieth of a second. It is used again, by one document at a time.
 */
import { withRoom } from '../memory/with-room.ts';
import { stepUnits } from '../steps.ts';

export class Occurrences {
  #counts = new Uint32Array(64);
  #met = new Int32Array(64);
  #size = 0;

  /** How many different numbers were met. */
  get size(): number {
    return this.#size;
  }

  add(number: number): void {
    if (number >= this.#counts.length) this.#counts = withRoom(this.#counts, number + 1);
    const count = this.#counts[number] ?? 0;
    this.#counts[number] = count + 1;
    if (count > 0) return;
    if (this.#size === this.#met.length) this.#met = withRoom(this.#met, this.#size + 1);
    this.#met[this.#size] = number;
    this.#size += 1;
  }

  /** In the order in which they were met first. */
  numberAt(place: number): number {
    return this.#met[place] ?? 0;
  }

  has(number: number): boolean {
    return number < this.#counts.length && (this.#counts[number] ?? 0) > 0;
  }

  countAt(place: number): number {
    return this.#counts[this.numberAt(place)] ?? 0;
  }

  /** Forgets the last ones, so many at most without a pause; empty when `size` is 0. */
  clearSome(): void {
    const left = Math.max(0, this.#size - stepUnits);
    for (let place = left; place < this.#size; place += 1) this.#counts[this.numberAt(place)] = 0;
    this.#size = left;
  }
}

/** Kept when their documents are done. More are only needed while several indexes take in documents. */
const sparesMax = 6;
const spares: Occurrences[] = [];

export function takeOccurrences(): Occurrences {
  return spares.pop() ?? new Occurrences();
}

/** They must be cleared. */
export function giveBackOccurrences(occurrences: Occurrences): void {
  if (spares.length < sparesMax) spares.push(occurrences);
}
