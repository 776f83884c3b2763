import { readFile } from 'node:fs/promises';

/** A file of singles, row by row. */
export async function readRows(file, dimension) {
  const bytes = await readFile(file);
  const values = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  return {
    count: values.length / dimension,
    values,
    row: (i) => values.subarray(i * dimension, (i + 1) * dimension),
  };
}
