/** The kernels in JavaScript, over a memory that does not grow: what answers where there is no SIMD, and what the texts are tested against. */
import { popcount } from '../../bits/popcount.ts';
import { type CodeShape, groupRows, partRows } from './code-shape.ts';
import type { Kernels } from './kernels.ts';

export function scalarKernels(
  buffer: ArrayBuffer,
  { bitStride, byteStride, floatStride }: CodeShape,
): Kernels {
  const words = new Int32Array(buffer);
  const bytes = new Int8Array(buffer);
  const shorts = new Int16Array(buffer);
  const singles = new Float32Array(buffer);
  const doubles = new Float64Array(buffer);

  const distanceAt = (at: number, query: number): number => {
    let distance = 0;
    for (let i = 0; i < bitStride >>> 2; i += 1)
      distance += popcount(((words[(at >>> 2) + i] ?? 0) ^ (words[(query >>> 2) + i] ?? 0)) >>> 0);
    return distance;
  };

  const dotBytes = (at: number, query: number): number => {
    let sum = 0;
    for (let i = 0; i < byteStride; i += 1) sum += (bytes[at + i] ?? 0) * (shorts[(query >>> 1) + i] ?? 0);
    return sum;
  };

  const scoreAt = (
    row: { at: number; scale: number },
    query: number,
    { factor, square, byNorm }: { factor: number; square: number; byNorm: number },
  ): number => {
    const { fround } = Math;
    const scale = singles[row.scale >>> 2] ?? 0;
    const norm = singles[(row.scale >>> 2) + 1] ?? 0;
    const product = fround(fround(fround(dotBytes(row.at, query)) * scale) * fround(factor));
    const whole = fround(product - fround(fround(norm * norm) * fround(square)));
    return fround(whole / (byNorm === 0 ? 1 : norm));
  };

  return {
    scanBits(rows, mask, maskEnd, query, most, out, first) {
      let to = out >>> 2;
      eachRow(words, { mask, maskEnd }, (row) => {
        const distance = distanceAt(rows + row * bitStride, query);
        if (distance > most) return;
        words[to] = (distance << 16) | (first + row);
        to += 1;
      });
      return to << 2;
    },

    scanList(list, listEnd, mask, query, most, out, passed) {
      let to = out >>> 2;
      let count = 0;
      for (let i = 0; i < (listEnd - list) >>> 2; i += 1) {
        const owner = words[(list >>> 2) + partRows + i] ?? 0;
        if ((((words[(mask >>> 2) + (owner >>> 5)] ?? 0) >>> (owner & 31)) & 1) === 0) continue;
        count += 1;
        const distance = distanceAt(list + 8 * partRows + i * bitStride, query);
        if (distance > most) continue;
        words[to] = words[(list >>> 2) + i] ?? 0;
        words[to + 1] = distance;
        to += 2;
      }
      words[passed >>> 2] = count;
      return to << 2;
    },

    scanBytes(rows, mask, maskEnd, query, scales, factor, square, byNorm, least, out, first) {
      let to = out >>> 2;
      eachRow(words, { mask, maskEnd }, (row) => {
        const scale = scales + 8 * (first + row);
        const score = scoreAt({ at: rows + row * byteStride, scale }, query, { factor, square, byNorm });
        if (!(score > Math.fround(least))) return;
        words[to] = first + row;
        singles[to + 1] = score;
        to += 2;
      });
      return to << 2;
    },

    scoreBytes(list, listEnd, codes, groupBytes, query, factor, square, byNorm, out) {
      let to = out >>> 2;
      for (let from = list >>> 2; from < listEnd >>> 2; from += 1) {
        const row = words[from] ?? 0;
        const group = codes + Math.floor(row / groupRows) * groupBytes;
        const at = group + (row % groupRows) * byteStride;
        const scale = group + groupRows * byteStride + (row % groupRows) * 8;
        singles[to] = scoreAt({ at, scale }, query, { factor, square, byNorm });
        to += 1;
      }
      return to << 2;
    },

    dotFloats(at, query) {
      let [a, b, c, d] = [0, 0, 0, 0];
      const row = at >>> 2;
      const asked = query >>> 3;
      for (let i = 0; i < floatStride >>> 2; i += 4) {
        a += (singles[row + i] ?? 0) * (doubles[asked + i] ?? 0);
        b += (singles[row + i + 1] ?? 0) * (doubles[asked + i + 1] ?? 0);
        c += (singles[row + i + 2] ?? 0) * (doubles[asked + i + 2] ?? 0);
        d += (singles[row + i + 3] ?? 0) * (doubles[asked + i + 3] ?? 0);
      }
      return a + b + c + d;
    },

    squaredDistance(at, query) {
      let [a, b, c, d] = [0, 0, 0, 0];
      const row = at >>> 2;
      const asked = query >>> 3;
      for (let i = 0; i < floatStride >>> 2; i += 4) {
        a += ((doubles[asked + i] ?? 0) - (singles[row + i] ?? 0)) ** 2;
        b += ((doubles[asked + i + 1] ?? 0) - (singles[row + i + 1] ?? 0)) ** 2;
        c += ((doubles[asked + i + 2] ?? 0) - (singles[row + i + 2] ?? 0)) ** 2;
        d += ((doubles[asked + i + 3] ?? 0) - (singles[row + i + 3] ?? 0)) ** 2;
      }
      return a + b + c + d;
    },
  };
}

/** The rows whose bits are set, from 0. */
function eachRow(
  words: Int32Array,
  { mask, maskEnd }: { mask: number; maskEnd: number },
  visit: (row: number) => void,
): void {
  for (let at = mask; at < maskEnd; at += 4) {
    let left = words[at >>> 2] ?? 0;
    while (left !== 0) {
      const lowest = left & -left;
      visit((at - mask) * 8 + 31 - Math.clz32(lowest));
      left ^= lowest;
    }
  }
}
