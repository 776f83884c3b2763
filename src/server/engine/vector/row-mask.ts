/** A bit for each row of a table, in whole groups. */
import type { Bitset } from '../bits/bitset.ts';
import { groupRows } from './kernels/code-shape.ts';

export function emptyMask(rows: number): Uint32Array {
  return new Uint32Array((Math.ceil(rows / groupRows) * groupRows) / 32);
}

/** Where each row is that of the ordinal with its number; a free one's document may pass and has no vector. */
export function alignedMask(
  { words }: Bitset,
  { rows, free }: { rows: number; free: readonly number[] },
): Uint32Array {
  const mask = emptyMask(rows);
  mask.set(words.subarray(0, mask.length));
  const [last, rest] = [rows >>> 5, rows % 32];
  mask.fill(0, last + Number(rest !== 0));
  if (rest !== 0) mask[last] = (mask[last] ?? 0) & ((1 << rest) - 1);
  for (const row of free) mask[row >>> 5] = (mask[row >>> 5] ?? 0) & ~(1 << (row & 31));
  return mask;
}

/** Adds those of some rows whose documents pass; an owner is −1 where there is none. */
export function addPassing(
  mask: Uint32Array,
  { passes, owners }: { passes: Bitset; owners: Int32Array },
  { from, to }: { from: number; to: number },
): void {
  const { words } = passes;
  const capacity = words.length * 32;
  for (let row = from; row < to; row += 1) {
    const ordinal = owners[row] ?? -1;
    if (ordinal < 0 || ordinal >= capacity) continue;
    const bit = ((words[ordinal >>> 5] ?? 0) >>> (ordinal & 31)) & 1;
    mask[row >>> 5] = (mask[row >>> 5] ?? 0) | (bit << (row & 31));
  }
}
