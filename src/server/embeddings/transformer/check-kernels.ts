import { RandomNumbers } from '#server/random-numbers.ts';
import { createKernels, type Kernels } from './kernels.ts';
import { createPlainKernels } from './plain-kernels.ts';
import { type SharedMemory, webAssembly } from './web-assembly.ts';

const pageBytes = 65_536;
const headBytes = 4 * 32;
/** Of the largest number: GELU and softmax are polynomials in the one and JavaScript's own in the other, and sums have another order. */
const deviationMax = 1e-4;

export interface KernelShape {
  rows: number;
  /** Multiples of 8. */
  inputs: number;
  outputs: number;
  seed: number;
}

/**
 * Whether the kernels say what the plain ones do, on made-up numbers: a processor, or a node, that does something else is found before
 * anything is embedded.
 * @throws Error naming the kernel that does not
 */
export function checkKernels(
  create: (memory: SharedMemory) => Kernels = createKernels,
  shape: KernelShape = { rows: 5, inputs: 64, outputs: 16, seed: 1 },
): void {
  const fast = runAll(create, shape);
  const plain = runAll(({ buffer }) => createPlainKernels(buffer), shape);
  for (const [name, expected] of Object.entries(plain)) {
    const got = fast[name as keyof Kernels];
    // An integer may be rounded to either side.
    const allowed =
      name === 'quantise' ? 1 : deviationMax * expected.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
    if (!expected.every((x, i) => Math.abs(x - (got[i] ?? Number.NaN)) <= allowed)) {
      throw new Error(`The kernel "${name}" does not compute here what it should`);
    }
  }
}

/** What each kernel writes, every time over the same numbers. */
function runAll(
  create: (memory: SharedMemory) => Kernels,
  { rows, inputs, outputs, seed }: KernelShape,
): Record<keyof Kernels, number[]> {
  const fours = Math.ceil(rows / 4) * 4;
  const most = Math.max(4 * fours * inputs, 4 * fours * outputs, 3 * fours * headBytes, inputs * outputs);
  const region = Math.ceil(most / 16) * 16;
  const input = 0;
  const added = region;
  const weights = 2 * region;
  const scales = 3 * region;
  const factors = 4 * region;
  const bias = 5 * region;
  const out = 6 * region;
  const pages = Math.ceil((7 * region) / pageBytes);
  const memory = new webAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  const floats = new Float32Array(memory.buffer);
  const bytes = new Int8Array(memory.buffer, weights, inputs * outputs);
  const kernels = create(memory);
  const written = (step: () => void, from: number, count: number): number[] => {
    const random = randomOf(seed);
    for (let i = 0; i < floats.length; i++) floats[i] = random();
    for (let i = 0; i < bytes.length; i++) bytes[i] = 32 * random();
    step();
    return [...floats.subarray(from / 4, from / 4 + count)];
  };
  const quantise = () => kernels.quantise(input, fours, inputs, added, scales);
  return {
    quantise: (() => {
      written(quantise, added, 0);
      return [...new Int16Array(memory.buffer, added, fours * inputs)];
    })(),
    multiply: written(
      () => {
        quantise();
        kernels.multiply(added, scales, fours, inputs, weights, outputs, factors, bias, out);
      },
      out,
      fours * outputs,
    ),
    attend: written(
      () => {
        const [keys, values] = [input + headBytes, input + 2 * headBytes];
        kernels.attend(input, keys, values, 3 * headBytes, rows, added, out, headBytes);
      },
      out,
      (rows * headBytes) / 4,
    ),
    gelu: written(() => kernels.gelu(input, 4 * fours * inputs), input, fours * inputs),
    normalise: written(
      () => kernels.normalise(input, added, rows, inputs, factors, bias, out),
      out,
      rows * inputs,
    ),
    project: written(() => kernels.project(input, inputs, added, fours, out), out, fours),
  };
}

/** Numbers from -4 to 4. */
function randomOf(seed: number): () => number {
  const random = new RandomNumbers(seed);
  return () => 8 * random.next() - 4;
}
