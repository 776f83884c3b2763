/** The kernels on made-up rows: all that they answer and write, to compare machines by. */
import type { CodeShape } from './code-shape.ts';
import type { Kernels } from './kernels.ts';

const rows = 64;
const seed = 0x2545f491;

interface TrialLayout {
  bits: number;
  bytes: number;
  floats: number;
  scales: number;
  mask: number;
  bitQuery: number;
  byteQuery: number;
  floatQuery: number;
  out: number;
  end: number;
}

function layoutOf({ bitStride, byteStride, floatStride }: CodeShape): TrialLayout {
  const bits = 0;
  const bytes = bits + rows * bitStride;
  const floats = bytes + rows * byteStride;
  const scales = floats + rows * floatStride;
  const mask = scales + rows * 8;
  const bitQuery = mask + 16;
  const byteQuery = bitQuery + bitStride;
  const floatQuery = byteQuery + 2 * byteStride;
  const out = floatQuery + 2 * floatStride;
  return {
    bits,
    bytes,
    floats,
    scales,
    mask,
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
  }
  for (let row = 0; row < rows; row += 9) {
    found.push(
      kernels.dotBytes(at.bytes + row * shape.byteStride, at.byteQuery),
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
  const singles = new Float32Array(buffer, at.floats, (at.mask - at.floats) >>> 2);
  for (let i = 0; i < singles.length; i += 1) singles[i] = next() / 2 ** 31;
  const doubles = new Float64Array(buffer, at.floatQuery, (at.out - at.floatQuery) >>> 3);
  for (let i = 0; i < doubles.length; i += 1) doubles[i] = next() / 2 ** 31;
  // Codes are never −128, and the query's leave room for the sum.
  const codes = new Int8Array(buffer, at.bytes, at.floats - at.bytes);
  for (let i = 0; i < codes.length; i += 1) codes[i] = (next() >>> 8) % 128;
  const query = new Int16Array(buffer, at.byteQuery, (at.floatQuery - at.byteQuery) >>> 1);
  for (let i = 0; i < query.length; i += 1) query[i] = (next() >>> 8) % 1_024;
}
