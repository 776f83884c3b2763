/**
 * The nearest other rows of each row, by euclidean distance: all pairs, which of 5,000 rows with 32 components takes some tenths of a second. A graph
 * that finds them faster finds them roughly, and costs as much to build at this size.
 */
import type { Rows } from './principal-components.ts';

/** `size` a row, the nearest first. */
export interface Neighbours {
  rows: Int32Array;
  /** Squared. */
  distances: Float32Array;
  count: number;
  size: number;
}

/** Pairs of so many rows are compared together, so that these stay in the processor's nearest memory. */
const tileRows = 64;

/** Of each row `most` others, or all where there are no more. */
export function nearestRows(rows: Rows, most: number): Neighbours {
  const size = Math.min(most, rows.count - 1);
  const heaps = new Heaps(rows.count, size);
  const norms = squaredNorms(rows);
  for (let from = 0; from < rows.count; from += tileRows)
    for (let start = from; start < rows.count; start += tileRows)
      compareTiles(rows, norms, { heaps, from, start });
  return heaps.sorted();
}

/** The first `most` of what was found by rough rows, in the order of the exact ones. */
export function rankExactly({ values, size }: Rows, found: Neighbours, most: number): Neighbours {
  const kept = Math.min(most, found.size);
  const heaps = new Heaps(found.count, kept);
  for (let row = 0; row < found.count; row += 1) {
    for (let place = row * found.size; place < (row + 1) * found.size; place += 1) {
      const other = found.rows[place] ?? 0;
      heaps.offer(row, other, squaredDistance(values, row * size, other * size, size));
    }
  }
  return heaps.sorted();
}

function compareTiles(
  { values, count, size }: Rows,
  norms: Float64Array,
  { heaps, from, start }: { heaps: Heaps; from: number; start: number },
): void {
  const { bounds } = heaps;
  const end = Math.min(from + tileRows, count);
  const limit = Math.min(start + tileRows, count);
  for (let row = from; row < end; row += 1) {
    const own = norms[row] ?? 0;
    for (let other = Math.max(start, row + 1); other < limit; other += 1) {
      const product = dot(values, row * size, other * size, size);
      const distance = Math.max(0, own + (norms[other] ?? 0) - 2 * product);
      if (distance < (bounds[row] ?? 0)) heaps.offer(row, other, distance);
      if (distance < (bounds[other] ?? 0)) heaps.offer(other, row, distance);
    }
  }
}

/** Of each row the nearest so far, the farthest of them at the root of a heap. Equally far ones: the first that came. */
class Heaps {
  /** By row: only what is nearer is offered. */
  readonly bounds: Float64Array;
  readonly #count: number;
  readonly #size: number;
  readonly #rows: Int32Array;
  readonly #distances: Float32Array;

  constructor(count: number, size: number) {
    this.#count = count;
    this.#size = size;
    this.#rows = new Int32Array(count * size).fill(-1);
    this.#distances = new Float32Array(count * size).fill(Number.POSITIVE_INFINITY);
    this.bounds = new Float64Array(count).fill(size > 0 ? Number.POSITIVE_INFINITY : -1);
  }

  offer(row: number, other: number, distance: number): void {
    if (!(distance < (this.bounds[row] ?? 0))) return;
    const base = row * this.#size;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= this.#size) break;
      if (child + 1 < this.#size && this.#at(base + child + 1) > this.#at(base + child)) child += 1;
      if (this.#at(base + child) <= distance) break;
      this.#rows[base + place] = this.#rows[base + child] ?? 0;
      this.#distances[base + place] = this.#at(base + child);
      place = child;
    }
    this.#rows[base + place] = other;
    this.#distances[base + place] = distance;
    this.bounds[row] = this.#at(base);
  }

  sorted(): Neighbours {
    const size = this.#size;
    const rows = new Int32Array(this.#rows.length);
    const distances = new Float32Array(this.#distances.length);
    for (let row = 0; row < this.#count; row += 1) {
      const base = row * size;
      const order = Array.from({ length: size }, (_, i) => base + i).sort(
        (a, b) => this.#at(a) - this.#at(b) || (this.#rows[a] ?? 0) - (this.#rows[b] ?? 0),
      );
      for (const [i, place] of order.entries()) {
        rows[base + i] = this.#rows[place] ?? 0;
        distances[base + i] = this.#at(place);
      }
    }
    return { rows, distances, count: this.#count, size };
  }

  #at(place: number): number {
    return this.#distances[place] ?? 0;
  }
}

function squaredNorms({ values, count, size }: Rows): Float64Array {
  const norms = new Float64Array(count);
  for (let row = 0; row < count; row += 1) norms[row] = dot(values, row * size, row * size, size);
  return norms;
}

/** Four sums at once: a single one makes each addition wait for the last. */
function dot(values: Float32Array, from: number, start: number, size: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const whole = size & ~3;
  let i = 0;
  for (; i < whole; i += 4) {
    a += (values[from + i] ?? 0) * (values[start + i] ?? 0);
    b += (values[from + i + 1] ?? 0) * (values[start + i + 1] ?? 0);
    c += (values[from + i + 2] ?? 0) * (values[start + i + 2] ?? 0);
    d += (values[from + i + 3] ?? 0) * (values[start + i + 3] ?? 0);
  }
  for (; i < size; i += 1) a += (values[from + i] ?? 0) * (values[start + i] ?? 0);
  return a + b + c + d;
}

export function squaredDistance(values: Float32Array, from: number, start: number, size: number): number {
  let sum = 0;
  for (let i = 0; i < size; i += 1) {
    const difference = (values[from + i] ?? 0) - (values[start + i] ?? 0);
    sum += difference * difference;
  }
  return sum;
}
