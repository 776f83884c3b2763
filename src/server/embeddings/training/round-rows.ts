const largest = 127;

/** Rows of floats → signed bytes with a scale a row, so that its largest component is ±127: `value ≈ scale · byte`. */
export function roundRows(values: Float32Array, dims: number): { rows: Int8Array; scales: Float32Array } {
  const scales = new Float32Array(values.length / dims);
  for (const [i, value] of values.entries()) {
    const row = Math.floor(i / dims);
    scales[row] = Math.max(scales[row] ?? 0, Math.abs(value) / largest);
  }
  const rows = Int8Array.from(values, (value, i) => {
    const scale = scales[Math.floor(i / dims)] ?? 0;
    return scale === 0 ? 0 : Math.max(-largest, Math.min(largest, Math.round(value / scale)));
  });
  return { rows, scales };
}
