import type { StaticTable } from './static-table.ts';
import { areKernelsRunnable, createKernels } from './transformer/kernels.ts';
import { createPlainKernels } from './transformer/plain-kernels.ts';
import { webAssembly } from './transformer/web-assembly.ts';

const pageBytes = 65_536;
/** The kernel makes so many components at a time. */
const rowsAtOnce = 4;

/**
 * A table's rotation, in memory of its own: a product of up to 384 × 383 numbers a text. A short text may take 33 µs in all, so the kernel makes four
 * components at once; plain loops stand in where it does not run.
 */
export class Rotation {
  readonly #dims: number;
  readonly #floats: Float32Array;
  readonly #project: (rows: number) => void;
  readonly #out: number;

  constructor({ dims, rotation }: Pick<StaticTable, 'dims' | 'rotation'>) {
    const input = rotation.byteLength;
    const out = input + 4 * dims;
    const pages = Math.ceil((out + 4 * dims) / pageBytes);
    const memory = new webAssembly.Memory({ initial: pages, maximum: pages, shared: true });
    const kernels = areKernelsRunnable() ? createKernels(memory) : createPlainKernels(memory.buffer);
    this.#dims = dims;
    this.#floats = new Float32Array(memory.buffer);
    this.#floats.set(rotation);
    this.#project = (rows) => kernels.project(input, dims, 0, rows, out);
    this.#out = out / 4;
  }

  /** The first `count` components of the rotated vector, which has the length of the whole in all of them. */
  turn(vector: Float32Array, count: number): Float32Array {
    this.#floats.set(vector, this.#dims * this.#dims);
    this.#project(Math.ceil(count / rowsAtOnce) * rowsAtOnce);
    return this.#floats.slice(this.#out, this.#out + count);
  }
}
