/** How the rows of a text's tokens become one: their mean, their sum by the root of how many they are, the first, the last, or the greatest of each component. */
export type Pooling = 'mean' | 'mean_sqrt_len' | 'cls' | 'last' | 'max';

/**
 * The rows of a text's tokens (tokens × dims, row-major) as one: their mean, the first, the last or the greatest of each component, as
 * sentence-transformers' `Pooling` does.
 */
export function poolRows(rows: Float32Array, dims: number, pooling: Pooling): Float32Array {
  if (pooling === 'cls') return rows.slice(0, dims);
  if (pooling === 'last') return rows.slice(rows.length - dims);
  const sums = new Float64Array(dims).fill(pooling === 'max' ? Number.NEGATIVE_INFINITY : 0);
  for (let from = 0; from < rows.length; from += dims) {
    for (let i = 0; i < dims; i++) {
      const before = sums[i] ?? 0;
      const x = rows[from + i] ?? 0;
      sums[i] = pooling === 'max' ? Math.max(before, x) : before + x;
    }
  }
  const divisor = divisorOf(pooling, rows.length / dims);
  return Float32Array.from(sums, (sum) => sum / divisor);
}

function divisorOf(pooling: Pooling, tokens: number): number {
  if (pooling === 'max') return 1;
  return pooling === 'mean' ? tokens : Math.sqrt(tokens);
}

/** A copy of unit length; what has no length stays as it is. */
export function unit(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const x of vector) squares += x * x;
  const length = Math.sqrt(squares);
  return Float32Array.from(vector, (x) => (length === 0 ? 0 : x / length));
}
