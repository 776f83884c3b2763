import type { TokenBag } from './token-bag.ts';

/**
 * How far the vector that a table makes of a text lies from the teacher's: `1 − s·t / |s|`, where `s = Σ count · row` and `t` is the teacher's, of unit length.
 * With `v = s / |s|` its gradient by a row is `count · ((v·t) v − t) / |s|`.
 */
export class CosineLoss {
  readonly #dims: number;
  readonly #table: Float32Array;
  /** By row, as in the table; zero where no text since `clear` has the token. */
  readonly gradients: Float32Array;
  readonly touched = new Set<number>();
  readonly #sum: Float64Array;

  constructor(table: Float32Array, dims: number) {
    this.#table = table;
    this.#dims = dims;
    this.gradients = new Float32Array(table.length);
    this.#sum = new Float64Array(dims);
  }

  /** Zero for a text without a token. `targets` at `from`: the teacher's components. */
  of(bag: TokenBag, targets: Float32Array, from: number): number {
    const { length, cosine } = this.#read(bag, targets, from);
    return length === 0 ? 0 : 1 - cosine;
  }

  /** The same, and adds its gradient, multiplied by `weight`. */
  add(bag: TokenBag, targets: Float32Array, from: number, weight: number): number {
    const { length, cosine } = this.#read(bag, targets, from);
    if (length === 0) return 0;
    const sum = this.#sum;
    const scale = weight / length;
    for (let i = 0; i < this.#dims; i++)
      sum[i] = scale * ((cosine * (sum[i] ?? 0)) / length - (targets[from + i] ?? 0));
    for (let place = 0; place < bag.ids.length; place++) {
      const id = bag.ids[place] ?? 0;
      this.touched.add(id);
      addTo(this.gradients, id * this.#dims, sum, bag.counts[place] ?? 0);
    }
    return 1 - cosine;
  }

  clear(): void {
    const dims = this.#dims;
    for (const row of this.touched) this.gradients.fill(0, row * dims, (row + 1) * dims);
    this.touched.clear();
  }

  #read(bag: TokenBag, targets: Float32Array, from: number): { length: number; cosine: number } {
    const dims = this.#dims;
    const sum = this.#sum.fill(0);
    for (let place = 0; place < bag.ids.length; place++)
      addFrom(sum, this.#table, (bag.ids[place] ?? 0) * dims, bag.counts[place] ?? 0);
    let squares = 0;
    let product = 0;
    for (let i = 0; i < dims; i++) {
      const x = sum[i] ?? 0;
      squares += x * x;
      product += x * (targets[from + i] ?? 0);
    }
    const length = Math.sqrt(squares);
    return { length, cosine: length === 0 ? 0 : product / length };
  }
}

/** These two loops are nearly all that training takes. */
function addFrom(sum: Float64Array, table: Float32Array, from: number, count: number): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + count * (table[from + i] ?? 0);
}

function addTo(gradients: Float32Array, from: number, sum: Float64Array, count: number): void {
  for (let i = 0; i < sum.length; i++)
    gradients[from + i] = (gradients[from + i] ?? 0) + count * (sum[i] ?? 0);
}
