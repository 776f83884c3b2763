import type { Rows } from './principal-components.ts';

/** As they come from the server. */
export interface PackedRows {
  rows: Int8Array;
  /** What a byte of each row counts. */
  scales: Float32Array;
  components: number;
  /** Whether only the direction of vectors counts, as where they are compared by their angle. */
  isNormalized: boolean;
}

/** A vector of zeros stays one. */
export function unpackRows({ rows, scales, components, isNormalized }: PackedRows): Rows {
  const values = new Float32Array(rows.length);
  const count = scales.length;
  for (let row = 0; row < count; row += 1) {
    const start = row * components;
    const scale = isNormalized ? inverseNorm(rows, start, components) : (scales[row] ?? 0);
    for (let i = start; i < start + components; i += 1) values[i] = (rows[i] ?? 0) * scale;
  }
  return { values, count, size: components };
}

function inverseNorm(rows: Int8Array, start: number, components: number): number {
  let sum = 0;
  for (let i = start; i < start + components; i += 1) sum += (rows[i] ?? 0) ** 2;
  return sum > 0 ? 1 / Math.sqrt(sum) : 0;
}
