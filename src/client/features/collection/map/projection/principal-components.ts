/**
 * The directions in which vectors differ most, and where each vector lies along them (PCA). Eigenvectors of the covariance by orthogonal iteration
 * (Golub and Van Loan, "Matrix Computations", 8.2.4), which needs no library and O(n·d² / 2 + k·d²) steps; d is 256 at most here.
 */
import { randomNumbers } from './random-numbers.ts';

/** Row by row: `count` rows of `size` components. */
export interface Rows {
  values: Float32Array;
  count: number;
  size: number;
}

const iterations = 24;
/** Rows that tell how all of them differ: they come in no order. */
const rowsRead = 2_500;
/** Orthogonal iteration begins anywhere. */
const seed = 17;

/** At most `most` components of each row, those in which rows differ most first. The rows are centred in place. */
export function principalComponents(rows: Rows, most: number): Rows {
  center(rows);
  const { values, count, size } = rows;
  const kept = Math.min(most, size);
  const axes = leadingAxes(covarianceOf(rows), size, kept);
  const along = new Float32Array(count * kept);
  for (let row = 0; row < count; row += 1) {
    for (let axis = 0; axis < kept; axis += 1)
      along[row * kept + axis] = dotAt(values, row * size, axes, axis * size, size);
  }
  return { values: along, count, size: kept };
}

function center({ values, count, size }: Rows): void {
  const mean = new Float64Array(size);
  for (let row = 0; row < count; row += 1)
    for (let i = 0; i < size; i += 1) mean[i] = (mean[i] ?? 0) + (values[row * size + i] ?? 0) / count;
  for (let row = 0; row < count; row += 1)
    for (let i = 0; i < size; i += 1) values[row * size + i] = (values[row * size + i] ?? 0) - (mean[i] ?? 0);
}

/** `size` × `size`, symmetric. The upper half is summed row by row of the input, so that both are read in order. */
function covarianceOf({ values, count, size }: Rows): Float64Array {
  const sums = new Float64Array(size * size);
  for (let row = 0; row < Math.min(count, rowsRead); row += 1) {
    const start = row * size;
    for (let i = 0; i < size; i += 1) {
      const own = values[start + i] ?? 0;
      if (own === 0) continue;
      const line = i * size;
      for (let j = i; j < size; j += 1)
        sums[line + j] = (sums[line + j] ?? 0) + own * (values[start + j] ?? 0);
    }
  }
  for (let i = 0; i < size; i += 1)
    for (let j = 0; j < i; j += 1) sums[i * size + j] = sums[j * size + i] ?? 0;
  return sums;
}

/** `kept` rows of `size` components, of length one and at right angles; each points where its largest component is positive. */
function leadingAxes(matrix: Float64Array, size: number, kept: number): Float64Array {
  const next = randomNumbers(seed);
  let axes = Float64Array.from({ length: kept * size }, () => next() - 0.5);
  for (let round = 0; round < iterations; round += 1) {
    const turned = new Float64Array(kept * size);
    for (let axis = 0; axis < kept; axis += 1)
      for (let i = 0; i < size; i += 1)
        turned[axis * size + i] = dotAt(matrix, i * size, axes, axis * size, size);
    makeOrthonormal(turned, size, kept);
    axes = turned;
  }
  for (let axis = 0; axis < kept; axis += 1) pointUp(axes.subarray(axis * size, (axis + 1) * size));
  return axes;
}

/** Modified Gram-Schmidt. A row that lies among those before it becomes zero: there the vectors do not differ. */
function makeOrthonormal(axes: Float64Array, size: number, kept: number): void {
  for (let axis = 0; axis < kept; axis += 1) {
    const own = axis * size;
    const before = Math.sqrt(dotAt(axes, own, axes, own, size));
    for (let other = 0; other < axis; other += 1) {
      const share = dotAt(axes, own, axes, other * size, size);
      for (let i = 0; i < size; i += 1)
        axes[own + i] = (axes[own + i] ?? 0) - share * (axes[other * size + i] ?? 0);
    }
    const length = Math.sqrt(dotAt(axes, own, axes, own, size));
    const scale = length > 1e-9 * before ? 1 / length : 0;
    for (let i = 0; i < size; i += 1) axes[own + i] = (axes[own + i] ?? 0) * scale;
  }
}

function pointUp(axis: Float64Array): void {
  let largest = 0;
  for (const component of axis) if (Math.abs(component) > Math.abs(largest)) largest = component;
  if (largest < 0) for (let i = 0; i < axis.length; i += 1) axis[i] = -(axis[i] ?? 0);
}

function dotAt(
  a: Float32Array | Float64Array,
  from: number,
  b: Float64Array,
  start: number,
  size: number,
): number {
  let sum = 0;
  for (let i = 0; i < size; i += 1) sum += (a[from + i] ?? 0) * (b[start + i] ?? 0);
  return sum;
}
