const firstDecay = 0.9;
const secondDecay = 0.99;
const epsilon = 1e-8;

/**
 * Adam (Kingma and Ba, 2015) over the rows of a table of which each step touches some: a row's moments and its count of steps move only where it has a
 * gradient, so that a rare token's first step is as long as a frequent one's.
 */
export class RowAdam {
  readonly #dims: number;
  readonly #first: Float32Array;
  readonly #second: Float32Array;
  readonly #steps: Uint32Array;

  constructor(rows: number, dims: number) {
    this.#dims = dims;
    this.#first = new Float32Array(rows * dims);
    this.#second = new Float32Array(rows * dims);
    this.#steps = new Uint32Array(rows);
  }

  /** Moves these rows of `values` against `gradients`, which have the same layout. */
  step(values: Float32Array, gradients: Float32Array, touched: Iterable<number>, rate: number): void {
    for (const row of touched) this.#moveRow(values, gradients, row, rate);
  }

  #moveRow(values: Float32Array, gradients: Float32Array, row: number, rate: number): void {
    const steps = (this.#steps[row] ?? 0) + 1;
    this.#steps[row] = steps;
    const firstShare = 1 - firstDecay ** steps;
    const secondShare = 1 - secondDecay ** steps;
    const first = this.#first;
    const second = this.#second;
    for (let i = row * this.#dims; i < (row + 1) * this.#dims; i++) {
      const gradient = gradients[i] ?? 0;
      const m = firstDecay * (first[i] ?? 0) + (1 - firstDecay) * gradient;
      const v = secondDecay * (second[i] ?? 0) + (1 - secondDecay) * gradient * gradient;
      first[i] = m;
      second[i] = v;
      values[i] = (values[i] ?? 0) - (rate * m) / firstShare / (Math.sqrt(v / secondShare) + epsilon);
    }
  }
}
