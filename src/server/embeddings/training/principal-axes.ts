/** Off the diagonal, as a share of all, that counts as none. */
const restMax = 1e-18;
const sweepsMax = 30;

/** Mean of the outer products of unit vectors with themselves: dims × dims. */
export function secondMoments(vectors: Float32Array, dims: number): Float64Array {
  const moments = new Float64Array(dims * dims);
  for (let from = 0; from < vectors.length; from += dims) {
    for (let row = 0; row < dims; row++) {
      const x = vectors[from + row] ?? 0;
      for (let column = row; column < dims; column++)
        moments[row * dims + column] =
          (moments[row * dims + column] ?? 0) + x * (vectors[from + column] ?? 0);
    }
  }
  const count = vectors.length / dims;
  for (let row = 0; row < dims; row++) {
    for (let column = row; column < dims; column++) {
      const mean = (moments[row * dims + column] ?? 0) / count;
      moments[row * dims + column] = mean;
      moments[column * dims + row] = mean;
    }
  }
  return moments;
}

/**
 * The orthonormal axes of a symmetric matrix, the one with most energy first (Jacobi's method, by sweeps over all pairs). An axis' largest component is positive,
 * so that the same matrix has the same axes.
 * @returns axes: dims × dims, a row an axis. energies: what each axis has of the whole, together 1
 */
export function principalAxes(
  matrix: Float64Array,
  dims: number,
): { axes: Float64Array; energies: Float64Array } {
  const work = Float64Array.from(matrix);
  const axes = new Float64Array(dims * dims);
  for (let i = 0; i < dims; i++) axes[i * dims + i] = 1;
  const whole = work.reduce((sum, x) => sum + x * x, 0);
  for (let sweep = 0; sweep < sweepsMax && offDiagonal(work, dims) > restMax * whole; sweep++) {
    for (let p = 0; p < dims; p++) for (let q = p + 1; q < dims; q++) turn(work, axes, { dims, p, q });
  }
  return inOrder(work, axes, dims);
}

function offDiagonal(matrix: Float64Array, dims: number): number {
  let sum = 0;
  for (let i = 0; i < matrix.length; i++) if (i % (dims + 1) !== 0) sum += (matrix[i] ?? 0) ** 2;
  return sum;
}

interface Pair {
  dims: number;
  p: number;
  q: number;
}

/** Turns the plane of two axes so that the matrix has 0 between them (Golub and Van Loan, Matrix Computations, 8.5). */
function turn(matrix: Float64Array, axes: Float64Array, { dims, p, q }: Pair): void {
  const between = matrix[p * dims + q] ?? 0;
  if (between === 0) return;
  const tau = ((matrix[q * dims + q] ?? 0) - (matrix[p * dims + p] ?? 0)) / (2 * between);
  const tangent = (tau >= 0 ? 1 : -1) / (Math.abs(tau) + Math.sqrt(1 + tau * tau));
  const cosine = 1 / Math.sqrt(1 + tangent * tangent);
  const sine = tangent * cosine;
  turnRows(matrix, [p * dims, q * dims, 1], [dims, cosine, sine]);
  turnRows(matrix, [p, q, dims], [dims, cosine, sine]);
  turnRows(axes, [p * dims, q * dims, 1], [dims, cosine, sine]);
}

/** Of two rows, or with a stride of two columns. */
function turnRows(
  values: Float64Array,
  [p, q, stride]: [p: number, q: number, stride: number],
  [count, cosine, sine]: [count: number, cosine: number, sine: number],
): void {
  for (let i = 0; i < count * stride; i += stride) {
    const x = values[p + i] ?? 0;
    const y = values[q + i] ?? 0;
    values[p + i] = cosine * x - sine * y;
    values[q + i] = sine * x + cosine * y;
  }
}

function inOrder(matrix: Float64Array, found: Float64Array, dims: number) {
  const energyOf = (axis: number) => matrix[axis * (dims + 1)] ?? 0;
  const order = Array.from({ length: dims }, (_, axis) => axis).sort((a, b) => energyOf(b) - energyOf(a));
  const whole = order.reduce((sum, axis) => sum + energyOf(axis), 0);
  const axes = new Float64Array(dims * dims);
  for (const [place, axis] of order.entries()) {
    const row = found.subarray(axis * dims, (axis + 1) * dims);
    const largest = row.reduce((most, x) => (Math.abs(x) > Math.abs(most) ? x : most), 0);
    axes.set(
      row.map((x) => (largest < 0 ? -x : x)),
      place * dims,
    );
  }
  return { axes, energies: Float64Array.from(order, (axis) => energyOf(axis) / whole) };
}
