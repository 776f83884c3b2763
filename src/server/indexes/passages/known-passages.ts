/** Rows of a document's vectors, and where each passage lies. */
interface Passages {
  vectors: Float32Array;
  spans: Int32Array;
}

/** Without those of which the model knows nothing: their rows are zeros, which say nothing and may be nearest. Null: none is left. */
export function knownPassages({ vectors, spans }: Passages, dimension: number): Passages | null {
  const rowOf = (row: number) => vectors.subarray(row * dimension, (row + 1) * dimension);
  const rows = Array.from({ length: vectors.length / dimension }, (_, row) => row);
  const known = rows.filter((row) => rowOf(row).some((x) => x !== 0));
  if (known.length === 0) return null;
  if (known.length === rows.length) return { vectors, spans };
  const kept = {
    vectors: new Float32Array(known.length * dimension),
    spans: new Int32Array(known.length * 3),
  };
  for (const [place, row] of known.entries()) {
    kept.vectors.set(rowOf(row), place * dimension);
    kept.spans.set(spans.subarray(row * 3, (row + 1) * 3), place * 3);
  }
  return kept;
}
