/**
 * Memory with kernels on it. Their module is assembled once for a number of components, and tried on made-up rows against what the scalar
 * kernels say: a machine on which it cannot be made, or differs in one bit, has the scalar ones.
 */
import { type AssembledFunction, assemble } from './assemble.ts';
import type { CodeShape } from './code-shape.ts';
import { kernelTexts } from './kernel-texts.ts';
import type { Kernels } from './kernels.ts';
import { scalarKernels } from './scalar-kernels.ts';
import { trialBytes, trialOf } from './trial.ts';

export interface KernelMemory {
  readonly kernels: Kernels;
  /** Of now: another one once it has grown. */
  readonly buffer: ArrayBuffer;
  /** All of it. */
  readonly singles: Float32Array;
  readonly words: Uint32Array;
  /** Whether it may grow. */
  readonly canGrow: boolean;
  /** What it held stays where it was. @returns whether there was memory for it */
  growTo: (bytes: number) => boolean;
}

/** What is used of the global of this name, which the types of the language do not have. */
interface Wasm {
  Module: new (bytes: Uint8Array) => object;
  Memory: new (pages: { initial: number; maximum: number }) => WasmMemory;
  Instance: new (module: object, imports: { m: { memory: WasmMemory } }) => { exports: object };
}

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow: (pages: number) => number;
}

const wasm = (globalThis as unknown as { WebAssembly?: Wasm }).WebAssembly;
const pageBytes = 65_536;
/** By components; null: not on this machine. */
const modules = new Map<number, object | null>();

/** At most `most` bytes, at first `bytes`. */
export function kernelMemory(
  shape: CodeShape,
  { bytes, most }: { bytes: number; most: number },
): KernelMemory {
  const module = moduleFor(shape);
  const memory = module && growingMemory(bytes, most);
  if (!module || !memory) return fixedMemory(shape, bytes);
  let buffer = memory.buffer;
  let singles = new Float32Array(buffer);
  let words = new Uint32Array(buffer);
  return {
    kernels: kernelsIn(module, memory),
    get buffer() {
      return buffer;
    },
    get singles() {
      return singles;
    },
    get words() {
      return words;
    },
    canGrow: true,
    growTo(wanted) {
      const pages = Math.ceil((wanted - buffer.byteLength) / pageBytes);
      if (pages <= 0) return true;
      try {
        memory.grow(pages);
      } catch {
        return false;
      }
      buffer = memory.buffer;
      singles = new Float32Array(buffer);
      words = new Uint32Array(buffer);
      return true;
    },
  };
}

/** For tests, and where there is no other. */
export function fixedMemory(shape: CodeShape, bytes: number): KernelMemory {
  const buffer = new ArrayBuffer(Math.ceil(bytes / 8) * 8);
  return {
    kernels: scalarKernels(buffer, shape),
    buffer,
    singles: new Float32Array(buffer),
    words: new Uint32Array(buffer),
    canGrow: false,
    growTo: (wanted) => wanted <= buffer.byteLength,
  };
}

/** Null: there is no such memory here, or the process has no room for another one. */
export function growingMemory(bytes: number, most: number): WasmMemory | null {
  if (wasm === undefined) return null;
  try {
    return new wasm.Memory({
      initial: Math.ceil(bytes / pageBytes),
      maximum: Math.ceil(most / pageBytes),
    });
  } catch {
    return null;
  }
}

function kernelsIn(module: object, memory: WasmMemory): Kernels {
  if (wasm === undefined) throw new TypeError('there is no WebAssembly');
  return new wasm.Instance(module, { m: { memory } }).exports as Kernels;
}

/** A module that several memories may have. */
export interface KernelModule {
  instanceIn: (memory: WasmMemory) => object;
  pageBytes: number;
}

/** Null: there are no such instructions here. */
export function kernelModule(functions: readonly AssembledFunction[]): KernelModule | null {
  if (wasm === undefined) return null;
  const { Module, Instance } = wasm;
  try {
    const module = new Module(assemble(functions));
    return { instanceIn: (memory) => new Instance(module, { m: { memory } }).exports, pageBytes };
  } catch {
    return null;
  }
}

function moduleFor(shape: CodeShape): object | null {
  const made = modules.get(shape.dimension);
  if (made !== undefined) return made;
  const module = testedModule(shape);
  modules.set(shape.dimension, module);
  return module;
}

/** Null: there are no such instructions here, or they do something else. */
function testedModule(shape: CodeShape): object | null {
  if (wasm === undefined) return null;
  try {
    const module = new wasm.Module(assemble(kernelTexts(shape)));
    const bytes = trialBytes(shape);
    const pages = Math.ceil(bytes / pageBytes);
    const memory = new wasm.Memory({ initial: pages, maximum: pages });
    const found = trialOf({ kernels: kernelsIn(module, memory), buffer: memory.buffer }, shape);
    const expected = trialOf(fixedMemory(shape, bytes), shape);
    return found.every((value, i) => Object.is(value, expected[i])) ? module : null;
  } catch {
    return null;
  }
}
