import { kernelBytes } from './kernel-bytes.ts';
import { type SharedMemory, webAssembly } from './web-assembly.ts';

/**
 * What a layer of the transformer is made of, over one memory: pointers in bytes, rows one after the other, floats unless said. Numbers of
 * columns are multiples of 8. `kernels.wat` is the fast form, `plain-kernels.ts` the readable one.
 */
export interface Kernels {
  /** Rows of floats → of 16-bit integers, and a scale for each: `in ≈ out · scale`. */
  quantise(input: number, rows: number, columns: number, out: number, scales: number): void;
  /**
   * Rows of 16-bit integers times a matrix of 8-bit ones, with bias: rows × outputs floats. `rows` is a multiple of 4. The matrix lies in blocks
   * of 8 outputs, in them pairs of inputs, in these the outputs' two weights each.
   */
  multiply(
    input: number,
    scales: number,
    rows: number,
    inputs: number,
    weights: number,
    outputs: number,
    weightScales: number,
    bias: number,
    out: number,
  ): void;
  /**
   * One head of 32 columns: each row of queries looks at all rows of keys and takes of their values, by softmax. `stride`: bytes from row to row.
   * `weights`: room for a number a row and four more, at a multiple of 16.
   */
  attend(
    queries: number,
    keys: number,
    values: number,
    stride: number,
    rows: number,
    weights: number,
    out: number,
    outStride: number,
  ): void;
  /** In place; `bytes`: a multiple of 16. */
  gelu(at: number, bytes: number): void;
  /** Layer norm of each row of `input + added`; `out` may be `added`. */
  normalise(
    input: number,
    added: number,
    rows: number,
    columns: number,
    weight: number,
    bias: number,
    out: number,
  ): void;
  /** A vector times the rows of a matrix, as many numbers as it has rows: a multiple of 4. */
  project(input: number, columns: number, matrix: number, rows: number, out: number): void;
}

/** Whether node and the processor have the vector instructions that these need. */
export function areKernelsRunnable(): boolean {
  return webAssembly.validate(Buffer.from(kernelBytes, 'base64'));
}

/** @throws Error where node or the processor has no vector instructions */
export function createKernels(memory: SharedMemory): Kernels {
  const module = new webAssembly.Module(Buffer.from(kernelBytes, 'base64'));
  const { exports } = new webAssembly.Instance(module, { kernels: { memory } });
  return exports as Kernels;
}
