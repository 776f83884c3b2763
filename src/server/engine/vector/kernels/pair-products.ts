/**
 * Products of each of a few vectors with each other, in single precision: 16 running sums, four to an instruction. Rows are padded with zeros to whole 64 bytes.
 * The vectors lie in one memory of the thread, which every call fills anew; so nothing pauses in between. A machine without such instructions, or on which they
 * answer something else than the scalar twin, has the twin.
 *
 * Cost: count · (count − 1) / 2 products, 50 ns each of 384 components.
 */
import { isPauseDue, type Steps } from '../../steps.ts';
import type { AssembledFunction } from './assemble.ts';
import { growingMemory, type KernelModule, kernelModule, type WasmMemory } from './load-kernels.ts';

/** Components of a part of a row, and of vectors that are multiplied in a unit of work. */
const partComponents = 16;
const componentsOfUnit = 64;
const trialRows = 5;
/** At most 16 megabytes: more vectors than are compared anywhere. */
const memoryBytesMax = 1 << 24;

export interface RowsAsked {
  count: number;
  dimension: number;
  /** Writes the vector of a place into an array from `at` on. */
  write: (place: number, into: Float32Array, at: number) => void;
}

/** count × count, 0 of each with itself. */
export function* pairProducts(
  { count, dimension, write }: RowsAsked,
  kernel: PairKernel = sharedKernel(),
): Steps<Float32Array> {
  const stride = Math.ceil(dimension / partComponents) * partComponents;
  const products = new Float32Array(count * count);
  const singles = kernel.room(count * (stride + 1));
  for (let place = 0; place < count; place += 1) {
    singles.fill(0, place * stride + dimension, (place + 1) * stride);
    write(place, singles, place * stride);
  }
  const out = count * stride;
  for (let place = 1; place < count; place += 1) {
    kernel.multiply(4 * place * stride, 0, 4 * stride, 4 * out);
    for (let other = 0; other < place; other += 1) {
      const product = singles[out + other] ?? 0;
      products[place * count + other] = product;
      products[other * count + place] = product;
    }
  }
  if (isPauseDue((count * count * stride) / (2 * componentsOfUnit))) yield;
  return products;
}

export interface PairKernel {
  /** Of so many numbers, as the last call has left it. */
  room: (numbers: number) => Float32Array;
  /** The row at `row` with all from `rows` up to it, which lie `stride` bytes apart: writes their products from `out` on. */
  multiply: (row: number, rows: number, stride: number, out: number) => number;
}

/** The same in JavaScript. */
export function scalarPairKernel(): PairKernel {
  let singles = new Float32Array(0);
  const sums = new Float32Array(partComponents);
  const { fround } = Math;
  return {
    room(numbers) {
      if (singles.length < numbers) singles = new Float32Array(numbers);
      return singles;
    },
    multiply(row, rows, stride, out) {
      const [own, length] = [row >>> 2, stride >>> 2];
      let to = out >>> 2;
      for (let at = rows >>> 2; at < own; at += length) {
        sums.fill(0);
        for (let i = 0; i < length; i += 1)
          sums[i % partComponents] =
            (sums[i % partComponents] ?? 0) + fround((singles[own + i] ?? 0) * (singles[at + i] ?? 0));
        const lane = (i: number) =>
          fround(
            fround((sums[i] ?? 0) + (sums[i + 4] ?? 0)) + fround((sums[i + 8] ?? 0) + (sums[i + 12] ?? 0)),
          );
        singles[to] = fround(fround(lane(0) + lane(1)) + lane(2)) + lane(3);
        to += 1;
      }
      return to << 2;
    },
  };
}

let shared: PairKernel | null = null;

function sharedKernel(): PairKernel {
  shared ??= wasmPairKernel() ?? scalarPairKernel();
  return shared;
}

/** Null: not on this machine. */
export function wasmPairKernel(): PairKernel | null {
  const module = kernelModule([multiply]);
  const memory = module && growingMemory(0, memoryBytesMax);
  if (!module || !memory) return null;
  const kernel = kernelIn(module, memory);
  const [found, expected] = [kernel, scalarPairKernel()].map(trialOf);
  return found?.every((value, i) => Object.is(value, expected?.[i])) ? kernel : null;
}

function kernelIn(module: KernelModule, memory: WasmMemory): PairKernel {
  const exports = module.instanceIn(memory) as Pick<PairKernel, 'multiply'>;
  let singles = new Float32Array(memory.buffer);
  return {
    room(numbers) {
      if (singles.length < numbers) {
        memory.grow(Math.ceil((4 * (numbers - singles.length)) / module.pageBytes));
        singles = new Float32Array(memory.buffer);
      }
      return singles;
    },
    multiply: exports.multiply,
  };
}

/** On made-up rows. */
function trialOf(kernel: PairKernel): Float32Array {
  const stride = 3 * partComponents;
  const singles = kernel.room(trialRows * (stride + 1));
  for (let i = 0; i < trialRows * stride; i += 1) singles[i] = Math.sin(i * i);
  kernel.multiply(4 * (trialRows - 1) * stride, 0, 4 * stride, 4 * trialRows * stride);
  return singles.slice(trialRows * stride, trialRows * (stride + 1) - 1);
}

const sumOf = (name: string, offset: number) => `
  local.get $${name}
  local.get $one  v128.load offset=${offset}  local.get $rows  v128.load offset=${offset}  f32x4.mul
  f32x4.add  local.set $${name}`;

const multiply: AssembledFunction = {
  name: 'multiply',
  params: [
    ['row', 'i32'],
    ['rows', 'i32'],
    ['stride', 'i32'],
    ['out', 'i32'],
  ],
  result: 'i32',
  locals: [
    ['one', 'i32'],
    ['end', 'i32'],
    ['zero', 'v128'],
    ['a', 'v128'],
    ['b', 'v128'],
    ['c', 'v128'],
    ['d', 'v128'],
  ],
  body: `
    local.get $row  local.get $stride  i32.add  local.set $end
    loop $each
      local.get $row  local.set $one
      local.get $zero  local.tee $a  local.tee $b  local.tee $c  local.set $d
      loop $parts
        ${sumOf('a', 0)} ${sumOf('b', 16)} ${sumOf('c', 32)} ${sumOf('d', 48)}
        local.get $rows  i32.const ${4 * partComponents}  i32.add  local.set $rows
        local.get $one  i32.const ${4 * partComponents}  i32.add  local.tee $one
        local.get $end  i32.lt_u  br_if $parts
      end
      local.get $a  local.get $b  f32x4.add  local.get $c  local.get $d  f32x4.add  f32x4.add  local.set $a
      local.get $out
      local.get $a  f32x4.extract_lane 0
      local.get $a  f32x4.extract_lane 1  f32.add
      local.get $a  f32x4.extract_lane 2  f32.add
      local.get $a  f32x4.extract_lane 3  f32.add
      f32.store
      local.get $out  i32.const 4  i32.add  local.set $out
      local.get $rows  local.get $row  i32.lt_u  br_if $each
    end
    local.get $out`,
};
