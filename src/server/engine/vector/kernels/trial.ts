/** The kernels on made-up rows: all that they answer and write, to compare machines by. */
import { type CodeShape, groupRows, partRows } from './code-shape.ts';
import type { Kernels } from './kernels.ts';

const rows = 64;
const seed = 0x2545f491;

interface TrialLayout {
  bits: number;
  bytes: number;
  floats: number;
  scales: number;
  mask: number;
  list: number;
  passed: number;
  bitQuery: number;
  byteQuery: number;
  floatQuery: number;
  out: number;
  end: number;
}

function layoutOf({ bitStride, byteStride, floatStride }: CodeShape): TrialLayout {
  const bits = 0;
  const bytes = bits + rows * bitStride;
  const scales = bytes + groupRows * byteStride;
  const floats = scales + rows * 8;
  const mask = floats + rows * floatStride;
  const list = mask + 16;
  const passed = list + 32;
  const bitQuery = passed + 16;
  const byteQuery = bitQuery + bitStride;
  const floatQuery = byteQuery + 2 * byteStride;
  const out = floatQuery + 2 * floatStride;
  return {
    bits,
    bytes,
    floats,
    scales,
    mask,
    list,
    passed,
    bitQuery,
    byteQuery,
    floatQuery,
    out,
    end: out + 16 * rows + 16,
  };
}

export function trialBytes(shape: CodeShape): number {
  return layoutOf(shape).end;
}

export function trialOf(memory: { kernels: Kernels; buffer: ArrayBuffer }, shape: CodeShape): number[] {
  const { kernels, buffer } = memory;
  const at = layoutOf(shape);
  fill(buffer, at);
  const written = (from: number, to: number) => [...new Int32Array(buffer, from, (to - from) / 4)];
  const found: number[] = [];
  const maskEnd = at.mask + 8;
  for (const most of [shape.dimension, shape.dimension >>> 1]) {
    const end = kernels.scanBits(at.bits, at.mask, maskEnd, at.bitQuery, most, at.out, 7);
    found.push(end, ...written(at.out, end));
  }
  const owners = Int32Array.of(3, 0, rows - 1, 40, 17, 33, 8, 5);
  for (const most of [shape.dimension, shape.dimension >>> 1]) {
    // A part of a list: numbers and bits are whatever lies there.
    new Int32Array(buffer, at.bits + 4 * partRows, owners.length).set(owners);
    const partEnd = at.bits + owners.byteLength;
    const end = kernels.scanList(at.bits, partEnd, at.mask, at.bitQuery, most, at.out, at.passed);
    found.push(end, ...written(at.out, end), ...written(at.passed, at.passed + 4));
  }
  for (const byNorm of [0, 1]) {
    const end = kernels.scanBytes(
      at.bytes,
      at.mask,
      maskEnd,
      at.byteQuery,
      at.scales,
      0.5,
      byNorm === 1 ? 0 : 0.25,
      byNorm,
      -1,
      at.out,
      0,
    );
    found.push(end, ...written(at.out, end));
    // The last of them is in a second group, whose codes and scales are those of the row behind.
    const list = Int32Array.of(3, 0, rows - 1, groupRows + 5);
    new Int32Array(buffer, at.list, list.length).set(list);
    const listEnd = at.list + list.byteLength;
    const scored = kernels.scoreBytes(
      at.list,
      listEnd,
      at.bytes,
      shape.byteStride,
      at.byteQuery,
      0.5,
      byNorm === 1 ? 0 : 0.25,
      byNorm,
      at.out,
    );
    found.push(scored, ...written(at.out, scored));
  }
  for (let row = 0; row < rows; row += 9) {
    found.push(
      kernels.dotFloats(at.floats + row * shape.floatStride, at.floatQuery),
      kernels.squaredDistance(at.floats + row * shape.floatStride, at.floatQuery),
    );
  }
  return found;
}

/** The same numbers everywhere. */
function fill(buffer: ArrayBuffer, at: TrialLayout): void {
  let state = seed;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state;
  };
  new Int32Array(buffer, 0, at.end >>> 2).forEach((_, i, all) => {
    all[i] = next();
  });
  const singles = new Float32Array(buffer, at.scales, (at.mask - at.scales) >>> 2);
  for (let i = 0; i < singles.length; i += 1) singles[i] = next() / 2 ** 31;
  const doubles = new Float64Array(buffer, at.floatQuery, (at.out - at.floatQuery) >>> 3);
  for (let i = 0; i < doubles.length; i += 1) doubles[i] = next() / 2 ** 31;
  // Codes are never −128, and the query's leave room for the sum.
  const codes = new Int8Array(buffer, at.bytes, at.scales - at.bytes);
  for (let i = 0; i < codes.length; i += 1) codes[i] = (next() >>> 8) % 128;
  const query = new Int16Array(buffer, at.byteQuery, (at.floatQuery - at.byteQuery) >>> 1);
  for (let i = 0; i < query.length; i += 1) query[i] = (next() >>> 8) % 1_024;
}
