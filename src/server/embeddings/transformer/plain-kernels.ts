import type { Kernels } from './kernels.ts';

/**
 * The kernels in plain loops: what `kernels.wat` is tested against, at the start and in tests. GELU and softmax use JavaScript's own
 * functions, so results differ in the last digits.
 */
export function createPlainKernels(memory: ArrayBufferLike): Kernels {
  const floats = new Float32Array(memory);
  const integers = new Int16Array(memory);
  const bytes = new Int8Array(memory);
  const at = (pointer: number, place: number) => floats[pointer / 4 + place] ?? Number.NaN;
  const put = (pointer: number, place: number, value: number) => {
    floats[pointer / 4 + place] = value;
  };
  return {
    quantise(input, rows, columns, out, scales) {
      for (let row = 0; row < rows; row++) {
        let most = 1e-30;
        for (let i = 0; i < columns; i++) most = Math.max(most, Math.abs(at(input, row * columns + i)));
        put(scales, row, most / 8191);
        const factor = Math.fround(8191 / most);
        for (let i = 0; i < columns; i++) {
          const place = row * columns + i;
          integers[out / 2 + place] = roundHalfToEven(Math.fround(at(input, place) * factor));
        }
      }
    },
    multiply(input, scales, rows, inputs, weights, outputs, weightScales, bias, out) {
      for (let row = 0; row < rows; row++) {
        for (let output = 0; output < outputs; output++) {
          let sum = 0;
          for (let i = 0; i < inputs; i++) {
            const pair = ((output >> 3) * inputs) / 2 + (i >> 1);
            const weight = bytes[weights + pair * 16 + (output & 7) * 2 + (i & 1)] ?? Number.NaN;
            sum += (integers[input / 2 + row * inputs + i] ?? Number.NaN) * weight;
          }
          const value = sum * at(scales, row) * at(weightScales, output) + at(bias, output);
          put(out, row * outputs + output, value);
        }
      }
    },
    attend(queries, keys, values, stride, rows, _weights, out, outStride) {
      for (let row = 0; row < rows; row++) {
        const scores = Float64Array.from({ length: rows }, (_, key) => {
          let score = 0;
          for (let i = 0; i < 32; i++) score += at(queries + row * stride, i) * at(keys + key * stride, i);
          return score;
        });
        const most = scores.reduce((a, b) => Math.max(a, b));
        const parts = scores.map((score) => Math.exp(score - most));
        const total = parts.reduce((a, b) => a + b);
        for (let i = 0; i < 32; i++) {
          let sum = 0;
          for (let key = 0; key < rows; key++) sum += (parts[key] ?? 0) * at(values + key * stride, i);
          put(out + row * outStride, i, sum / total);
        }
      }
    },
    gelu(pointer, count) {
      for (let i = 0; i < count / 4; i++) {
        const x = at(pointer, i);
        put(pointer, i, (x / 2) * (1 + erf(x / Math.SQRT2)));
      }
    },
    normalise(input, added, rows, columns, weight, bias, out) {
      for (let row = 0; row < rows; row++) {
        const from = row * columns;
        const sums = Float64Array.from(
          { length: columns },
          (_, i) => at(input, from + i) + at(added, from + i),
        );
        const mean = sums.reduce((a, b) => a + b) / columns;
        const variance = sums.reduce((sum, x) => sum + (x - mean) ** 2, 0) / columns;
        const factor = 1 / Math.sqrt(variance + 1e-12);
        sums.forEach((x, i) => {
          put(out, from + i, (x - mean) * factor * at(weight, i) + at(bias, i));
        });
      }
    },
    project(input, columns, matrix, rows, out) {
      for (let row = 0; row < rows; row++) {
        let sum = 0;
        for (let i = 0; i < columns; i++) sum += at(matrix, row * columns + i) * at(input, i);
        put(out, row, sum);
      }
    },
  };
}

function roundHalfToEven(x: number): number {
  const rounded = Math.round(x);
  return Math.abs(x % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}

/** Its Maclaurin series; beyond 4 it is 1 but for 1.5e-8. */
function erf(x: number): number {
  if (Math.abs(x) > 4) return Math.sign(x);
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > 1e-17; n++) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}
