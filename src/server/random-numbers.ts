/** Numbers that a seed decides (mulberry32): the same everywhere and at every run. */
export class RandomNumbers {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0, below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from 0, below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  /** A whole number of these, both included. */
  between(first: number, last: number): number {
    return first + this.below(last - first + 1);
  }

  /** @throws RangeError there are none */
  pick<Item>(items: readonly Item[]): Item {
    const index = this.below(items.length);
    if (!(index in items)) throw new RangeError('There is nothing to pick from');
    return items[index] as Item;
  }

  /** One of the indexes, each as often as its weight says. */
  weighted(weights: readonly number[]): number {
    let left = this.next() * weights.reduce((sum, weight) => sum + weight, 0);
    for (const [index, weight] of weights.entries()) {
      left -= weight;
      if (left < 0) return index;
    }
    return weights.length - 1;
  }
}
