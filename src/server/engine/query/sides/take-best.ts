/**
 * The best of several lists that are sorted best first: answers, for each of the `count` best, the number of the list it comes from.
 * Equal values come from the earlier list. The lists are a binary heap, by their next values: O(count · log lists).
 */
export function takeBest(lists: readonly ArrayLike<number>[], count: number): Int32Array {
  const heap = new ListHeap(lists);
  const size = lists.reduce((sum, { length }) => sum + length, 0);
  const taken = new Int32Array(Math.min(count, size));
  for (let i = 0; i < taken.length; i += 1) taken[i] = heap.take();
  return taken;
}

class ListHeap {
  readonly #lists: readonly ArrayLike<number>[];
  /** By list: the place of its next value. */
  readonly #next: Int32Array;
  /** Lists that have a next value; no list comes before the one at half its place. */
  readonly #heap: Int32Array;
  #size = 0;

  constructor(lists: readonly ArrayLike<number>[]) {
    this.#lists = lists;
    this.#next = new Int32Array(lists.length);
    this.#heap = new Int32Array(lists.length);
    for (const [list, { length }] of lists.entries()) {
      if (length === 0) continue;
      this.#heap[this.#size] = list;
      this.#size += 1;
    }
    for (let place = (this.#size >>> 1) - 1; place >= 0; place -= 1) this.#sink(place);
  }

  /** The list with the best value, which is taken from it; there must be one. */
  take(): number {
    const list = this.#heap[0] ?? 0;
    const next = (this.#next[list] ?? 0) + 1;
    this.#next[list] = next;
    if (next === this.#lists[list]?.length) {
      this.#size -= 1;
      this.#heap[0] = this.#heap[this.#size] ?? 0;
    }
    this.#sink(0);
    return list;
  }

  #sink(from: number): void {
    const heap = this.#heap;
    const list = heap[from] ?? 0;
    let place = from;
    for (let child = 2 * place + 1; child < this.#size; child = 2 * place + 1) {
      if (child + 1 < this.#size && this.#isBefore(heap[child + 1] ?? 0, heap[child] ?? 0)) child += 1;
      const other = heap[child] ?? 0;
      if (!this.#isBefore(other, list)) break;
      heap[place] = other;
      place = child;
    }
    heap[place] = list;
  }

  #isBefore(a: number, b: number): boolean {
    const difference = this.#valueOf(a) - this.#valueOf(b);
    return difference > 0 || (!(difference < 0) && a < b);
  }

  #valueOf(list: number): number {
    return this.#lists[list]?.[this.#next[list] ?? 0] ?? Number.NEGATIVE_INFINITY;
  }
}
