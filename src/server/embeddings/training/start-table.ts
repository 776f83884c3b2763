/** A token that is this share of all weighs half as much as one that never occurs. */
const halfWeightShare = 2e-5;

interface TokenVectors {
  /** The teacher's vector of each token alone, one after the other. */
  vectors: Float32Array;
  dims: number;
  /** How often each token occurs in the training texts. */
  occurrences: Float64Array;
  /** Tokens that add nothing. */
  zeroRows: readonly number[];
}

/**
 * Where training starts: the teacher's vectors of single tokens without what all have in common, frequent ones weighing less by `a / (a + p)` (smooth inverse
 * frequency; Arora et al., 2017), and scaled so that a row's mean length is 1.
 */
export function startTable({ vectors, dims, occurrences, zeroRows }: TokenVectors): Float32Array {
  const table = Float32Array.from(vectors);
  const rows = occurrences.length;
  for (const row of zeroRows) table.fill(0, row * dims, (row + 1) * dims);
  const counted = rows - zeroRows.length;
  const mean = new Float64Array(dims);
  for (let i = 0; i < table.length; i++) mean[i % dims] = (mean[i % dims] ?? 0) + (table[i] ?? 0) / counted;
  const all = occurrences.reduce((sum, count) => sum + count, 0);
  let lengths = 0;
  for (let row = 0; row < rows; row++) {
    if (zeroRows.includes(row)) continue;
    const weight = halfWeightShare / (halfWeightShare + (all === 0 ? 0 : (occurrences[row] ?? 0) / all));
    let squares = 0;
    for (let i = 0; i < dims; i++) {
      const value = weight * ((table[row * dims + i] ?? 0) - (mean[i] ?? 0));
      table[row * dims + i] = value;
      squares += value * value;
    }
    lengths += Math.sqrt(squares);
  }
  const scale = lengths === 0 ? 1 : counted / lengths;
  return table.map((value) => value * scale);
}
