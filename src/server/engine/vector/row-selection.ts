/**
 * The best of the rows that scans write down, group by group. More than asked for are kept until there is no room; then the worst of them go,
 * and the scan is told what is near enough from then on. Rows that are like the last one kept are kept too, so that of equal documents none
 * is dropped before their ids are compared. n rows in any order cost O(n); in a random one all but O(keep · log(n / keep)) are dropped by the scan.
 */
import { withRoom } from '../memory/with-room.ts';
import { groupRows } from './kernels/code-shape.ts';

/** Rows with a whole number each, of which the lowest are best. */
export class LowestRows {
  /** The highest that may still be among them. */
  most: number;
  readonly #keep: number;
  #rows: Int32Array;
  #values: Int32Array;
  #counts: Int32Array;
  #size = 0;

  /** `highest`: any value. */
  constructor(keep: number, highest: number) {
    this.#keep = keep;
    this.most = highest;
    this.#rows = new Int32Array(2 * keep + 2 * groupRows);
    this.#values = new Int32Array(2 * keep + 2 * groupRows);
    this.#counts = new Int32Array(highest + 1);
  }

  /** What a scan wrote between two places of memory: value · 65,536 + row, with rows from `first` on. */
  take(memory: Uint32Array, { from, to }: { from: number; to: number }, first: number): void {
    for (let i = from; i < to; i += 1) {
      const both = memory[i] ?? 0;
      this.#rows[this.#size] = first + (both & 0xffff);
      this.#values[this.#size] = both >>> 16;
      this.#size += 1;
    }
    this.#makeRoom();
  }

  /** The same as row and value in turn. */
  takePairs(memory: Uint32Array, { from, to }: { from: number; to: number }): void {
    for (let i = from; i < to; i += 2) {
      this.#rows[this.#size] = memory[i] ?? 0;
      this.#values[this.#size] = memory[i + 1] ?? 0;
      this.#size += 1;
    }
    this.#makeRoom();
  }

  /** For a group. */
  #makeRoom(): void {
    if (this.#size + groupRows <= this.#rows.length) return;
    this.#drop();
    // All alike.
    this.#rows = withRoom(this.#rows, this.#size + 2 * groupRows);
    this.#values = withRoom(this.#values, this.#size + 2 * groupRows);
  }

  /** Lowest first, and how many are below each value. */
  sorted(): { rows: Int32Array; values: Int32Array; below: Int32Array } {
    this.#drop();
    const below = this.#counts.fill(0);
    for (let i = 0; i < this.#size; i += 1) {
      const value = this.#values[i] ?? 0;
      below[value] = (below[value] ?? 0) + 1;
    }
    for (let value = 0, sum = 0; value < below.length; value += 1) {
      const count = below[value] ?? 0;
      below[value] = sum;
      sum += count;
    }
    const next = below.slice();
    const rows = new Int32Array(this.#size);
    const values = new Int32Array(this.#size);
    for (let i = 0; i < this.#size; i += 1) {
      const value = this.#values[i] ?? 0;
      const place = next[value] ?? 0;
      next[value] = place + 1;
      rows[place] = this.#rows[i] ?? 0;
      values[place] = value;
    }
    return { rows, values, below };
  }

  #drop(): void {
    if (this.#size <= this.#keep) return;
    const counts = this.#counts.fill(0);
    for (let i = 0; i < this.#size; i += 1) {
      const value = this.#values[i] ?? 0;
      counts[value] = (counts[value] ?? 0) + 1;
    }
    let most = 0;
    for (let below = counts[0] ?? 0; below < this.#keep; below += counts[most] ?? 0) most += 1;
    let size = 0;
    for (let i = 0; i < this.#size; i += 1) {
      if ((this.#values[i] ?? 0) > most) continue;
      this.#rows[size] = this.#rows[i] ?? 0;
      this.#values[size] = this.#values[i] ?? 0;
      size += 1;
    }
    this.#size = size;
    this.most = most;
  }
}

/** The least number in single precision, which scans compare in: a smaller one would be 0 there. */
const singleLeast = 2 ** -149;

/** Rows with a score each, of which the highest are best. */
export class HighestRows {
  /** Lower ones are not among them any more; a little less than it may be, since scans ask for more than it. */
  least = Number.NEGATIVE_INFINITY;
  readonly #keep: number;
  #rows: Int32Array;
  #scores: Float32Array;
  #scratch: Float32Array;
  #size = 0;

  constructor(keep: number) {
    this.#keep = keep;
    this.#rows = new Int32Array(2 * keep + 2 * groupRows);
    this.#scores = new Float32Array(2 * keep + 2 * groupRows);
    this.#scratch = new Float32Array(2 * keep + 2 * groupRows);
  }

  offer(row: number, score: number): void {
    if (!(score > this.least)) return;
    if (this.#size === this.#rows.length) {
      this.#drop();
      this.#rows = withRoom(this.#rows, this.#size + groupRows);
      this.#scores = withRoom(this.#scores, this.#size + groupRows);
      this.#scratch = withRoom(this.#scratch, this.#size + groupRows);
    }
    this.#rows[this.#size] = row;
    this.#scores[this.#size] = score;
    this.#size += 1;
  }

  rows(): Int32Array {
    this.#drop();
    return this.#rows.subarray(0, this.#size);
  }

  /** By place of `rows`. */
  scores(): Float32Array {
    this.#drop();
    return this.#scores.subarray(0, this.#size);
  }

  #drop(): void {
    if (this.#size <= this.#keep) return;
    this.#scratch.set(this.#scores.subarray(0, this.#size));
    const worst = nthHighest(this.#scratch.subarray(0, this.#size), this.#keep - 1);
    let size = 0;
    for (let i = 0; i < this.#size; i += 1) {
      if ((this.#scores[i] ?? 0) < worst) continue;
      this.#rows[size] = this.#rows[i] ?? 0;
      this.#scores[size] = this.#scores[i] ?? 0;
      size += 1;
    }
    this.#size = size;
    this.least = worst - Math.abs(worst) * 1e-6 - singleLeast;
  }
}

/** From 0; moves the values (C. A. R. Hoare, Algorithm 65: Find, 1961). */
export function nthHighest(values: Float32Array, n: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = values[(low + high) >>> 1] ?? 0;
    let left = low;
    let right = high;
    while (left <= right) {
      while ((values[left] ?? 0) > pivot) left += 1;
      while ((values[right] ?? 0) < pivot) right -= 1;
      if (left > right) break;
      const moved = values[left] ?? 0;
      values[left] = values[right] ?? 0;
      values[right] = moved;
      left += 1;
      right -= 1;
    }
    if (n <= right) high = right;
    else if (n >= left) low = left;
    else break;
  }
  return values[n] ?? 0;
}
