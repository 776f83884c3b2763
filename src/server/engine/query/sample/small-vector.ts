/** Vectors made small enough to be sent by the thousand. */

/** `all` holds rows of `dimension` components; of one row the row itself, not a copy. */
export function meanOfRows(all: Float32Array, dimension: number): Float32Array {
  if (all.length <= dimension) return all;
  const mean = new Float32Array(dimension);
  const share = dimension / all.length;
  for (let i = 0; i < all.length; i += 1) {
    const component = i % dimension;
    mean[component] = (mean[component] ?? 0) + (all[i] ?? 0) * share;
  }
  return mean;
}

/** At most `componentsMax` components, whose inner products are on average those of the vectors; one that is short stays as it is. */
export function foldVector(vector: Float32Array, componentsMax: number): Float32Array {
  if (vector.length <= componentsMax) return vector;
  const folded = new Float32Array(componentsMax);
  for (let i = 0; i < vector.length; i += 1) {
    const component = i % componentsMax;
    folded[component] = (folded[component] ?? 0) + signOf(i) * (vector[i] ?? 0);
  }
  return folded;
}

/** Writes one byte a component at `offset`. @returns what a byte counts; 0 for a vector of zeros */
export function quantize(row: Float32Array, out: Int8Array, offset: number): number {
  let most = 0;
  for (const component of row) most = Math.max(most, Math.abs(component));
  if (most === 0) return 0;
  const perUnit = 127 / most;
  for (let i = 0; i < row.length; i += 1) out[offset + i] = Math.round((row[i] ?? 0) * perUnit);
  return most / 127;
}

/** As good as chance, and always the same. */
function signOf(i: number): number {
  const mixed = Math.imul(i ^ (i >>> 15), 0x2c1b3c6d);
  return ((Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39) >>> 15) & 1) === 0 ? 1 : -1;
}
