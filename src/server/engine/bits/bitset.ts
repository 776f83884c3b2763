import { withRoom } from '../memory/with-room.ts';
import { isPauseDue, noSteps, noteWork, type Steps } from '../steps.ts';
import { popcount } from './popcount.ts';

/** Words visited in one go: 1,024 ordinals. */
const stepWords = 32;
/** Units of work that are done before there are any steps: most sets of most searches are done with then. */
const atOnceUnits = 4_096;
/** Of work, for an ordinal that is visited: some ten nanoseconds, a hundred where ids are compared. */
const visitUnits = 16;

/**
 * A set of ordinals, one bit each, 32 to a word. Grows when something is added beyond its capacity, so that sets made at different
 * moments of a growing index can be combined: what lies beyond a set's capacity is not in it.
 * Invariant: a bit beyond every added ordinal is 0, which makes `count` a plain sum. Set operations cost one pass over the words.
 */
export class Bitset {
  #words: Uint32Array;

  /** An empty set with room for the ordinals 0 to `capacity` − 1. */
  constructor(capacity: number) {
    this.#words = new Uint32Array((capacity + 31) >>> 5);
  }

  /** The words themselves, not a copy; replaced when the set grows. */
  get words(): Uint32Array {
    return this.#words;
  }

  /** Makes room for `capacity` ordinals. */
  ensure(capacity: number): void {
    this.#words = withRoom(this.#words, (capacity + 31) >>> 5);
  }

  add(i: number): void {
    if (i >>> 5 >= this.#words.length) this.ensure(i + 1);
    const words = this.#words;
    words[i >>> 5] = (words[i >>> 5] ?? 0) | (1 << (i & 31));
  }

  remove(i: number): void {
    const words = this.#words;
    if (i >>> 5 < words.length) words[i >>> 5] = (words[i >>> 5] ?? 0) & ~(1 << (i & 31));
  }

  has(i: number): boolean {
    const words = this.#words;
    return i >>> 5 < words.length && (((words[i >>> 5] ?? 0) >>> (i & 31)) & 1) === 1;
  }

  count(): number {
    const words = this.#words;
    let total = 0;
    for (let w = 0; w < words.length; w++) {
      const word = words[w] ?? 0;
      // Most words of most sets are empty.
      if (word !== 0) total += popcount(word);
    }
    return total;
  }

  /** Whether it has more than so many: counts no further than that. */
  hasMoreThan(most: number): boolean {
    const words = this.#words;
    let total = 0;
    for (let w = 0; w < words.length && total <= most; w++) {
      const word = words[w] ?? 0;
      if (word !== 0) total += popcount(word);
    }
    return total > most;
  }

  isEmpty(): boolean {
    return this.#words.every((word) => word === 0);
  }

  intersects(other: Bitset): boolean {
    const words = this.#words;
    const theirs = other.words;
    const shared = Math.min(words.length, theirs.length);
    for (let w = 0; w < shared; w++) if (((words[w] ?? 0) & (theirs[w] ?? 0)) !== 0) return true;
    return false;
  }

  holdsAll(other: Bitset): boolean {
    const words = this.#words;
    const theirs = other.words;
    for (let w = 0; w < theirs.length; w++) if (((theirs[w] ?? 0) & ~(words[w] ?? 0)) !== 0) return false;
    return true;
  }

  and(other: Bitset): this {
    const words = this.#words;
    const theirs = other.words;
    const shared = Math.min(words.length, theirs.length);
    for (let w = 0; w < shared; w++) words[w] = (words[w] ?? 0) & (theirs[w] ?? 0);
    words.fill(0, shared);
    return this;
  }

  or(other: Bitset): this {
    this.ensure(other.words.length << 5);
    const words = this.#words;
    const theirs = other.words;
    for (let w = 0; w < theirs.length; w++) words[w] = (words[w] ?? 0) | (theirs[w] ?? 0);
    return this;
  }

  andNot(other: Bitset): this {
    const words = this.#words;
    const theirs = other.words;
    const shared = Math.min(words.length, theirs.length);
    for (let w = 0; w < shared; w++) words[w] = (words[w] ?? 0) & ~(theirs[w] ?? 0);
    return this;
  }

  /** Adds every ordinal from 0 to `n` − 1. */
  fill(n: number): this {
    this.ensure(n);
    const words = this.#words;
    words.fill(0xffffffff, 0, n >>> 5);
    if ((n & 31) !== 0) words[n >>> 5] = (words[n >>> 5] ?? 0) | ((1 << (n & 31)) - 1);
    return this;
  }

  clone(): Bitset {
    const copy = new Bitset(0);
    copy.#words = this.#words.slice();
    return copy;
  }

  /** Visits the ordinals in ascending order. */
  forEach(visit: (i: number) => void): void {
    this.#visit(visit, 0, this.#words.length);
  }

  /** The same with pauses. The first are visited before this returns, the others by its steps. The set must not change meanwhile. */
  visit(visit: (i: number) => void): Steps<void> {
    const { length } = this.#words;
    let units = 0;
    let from = 0;
    for (; from < length && units < atOnceUnits; from += stepWords)
      units += stepWords + this.#visit(visit, from, Math.min(from + stepWords, length)) * visitUnits;
    noteWork(units);
    return from < length ? this.#visitFrom(from, visit) : noSteps;
  }

  /** The same where a visit is dear and notes its own work: pauses between the ordinals of any word. */
  visitDear(visit: (i: number) => void): Steps<void> {
    return this.#visitFrom(0, visit, 1);
  }

  *#visitFrom(start: number, visit: (i: number) => void, words = stepWords): Steps<void> {
    const { length } = this.#words;
    for (let from = start; from < length; from += words) {
      const visited = this.#visit(visit, from, Math.min(from + words, length));
      if (isPauseDue(words + visited * visitUnits)) yield;
    }
  }

  /** All ordinals, ascending. */
  *ordinals(): Steps<Int32Array> {
    const ordinals = new Int32Array(this.count());
    let count = 0;
    yield* this.visit((ordinal) => {
      ordinals[count] = ordinal;
      count += 1;
    });
    return ordinals;
  }

  /** @returns how many were visited */
  #visit(visit: (i: number) => void, from: number, to: number): number {
    const words = this.#words;
    let visited = 0;
    for (let w = from; w < to; w++) {
      let word = words[w] ?? 0;
      while (word !== 0) {
        const lowest = word & -word;
        visit((w << 5) | (31 - Math.clz32(lowest)));
        visited += 1;
        word ^= lowest;
      }
    }
    return visited;
  }
}
