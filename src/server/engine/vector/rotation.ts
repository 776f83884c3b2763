/**
 * An orthogonal rotation that spreads what a vector says evenly over its components, so that their signs and eight bits of each tell much.
 * Rounds of random signs and a Walsh–Hadamard transform, over the first and the last power of two of components in turn: for any number of them,
 * in O(d log d), with d bits a round to know it by. It changes no lengths and no products. Source: the rotation of J. Gao and C. Long,
 * RaBitQ (SIGMOD 2024), in the fast form of N. Ailon and B. Chazelle (STOC 2006).
 */
const rounds = 3;

export class Rotation {
  readonly #signs: Float64Array[];
  /** Components that one transform mixes. */
  readonly #width: number;

  constructor(dimension: number, seed: number) {
    this.#width = 2 ** Math.floor(Math.log2(dimension));
    const next = randomBits(seed);
    this.#signs = Array.from({ length: rounds }, () => Float64Array.from({ length: dimension }, next));
  }

  /** In place. */
  rotate(values: Float64Array): void {
    const width = this.#width;
    const scale = 1 / Math.sqrt(width);
    for (const [round, signs] of this.#signs.entries()) {
      for (let i = 0; i < values.length; i += 1) values[i] = (values[i] ?? 0) * (signs[i] ?? 0);
      const from = round % 2 === 0 ? 0 : values.length - width;
      transform(values, from, from + width);
      for (let i = from; i < from + width; i += 1) values[i] = (values[i] ?? 0) * scale;
    }
  }
}

/** Walsh–Hadamard, without its scale; two of its rounds at a time, which halves what is read and written. */
function transform(values: Float64Array, from: number, to: number): void {
  let part = 1;
  for (; 4 * part <= to - from; part *= 4) {
    for (let start = from; start < to; start += 4 * part) {
      for (let i = start; i < start + part; i += 1) {
        const a = values[i] ?? 0;
        const b = values[i + part] ?? 0;
        const c = values[i + 2 * part] ?? 0;
        const d = values[i + 3 * part] ?? 0;
        values[i] = a + b + (c + d);
        values[i + part] = a - b + (c - d);
        values[i + 2 * part] = a + b - (c + d);
        values[i + 3 * part] = a - b - (c - d);
      }
    }
  }
  if (part === to - from) return;
  for (let i = from; i < from + part; i += 1) {
    const a = values[i] ?? 0;
    const b = values[i + part] ?? 0;
    values[i] = a + b;
    values[i + part] = a - b;
  }
}

/** 1 or −1, the same for a seed in every run (G. Marsaglia, Xorshift RNGs, 2003). */
function randomBits(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 16) % 2 === 0 ? 1 : -1;
  };
}
