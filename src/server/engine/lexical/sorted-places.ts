import { compareBytes } from '../memory/bytes.ts';
import type { BytesList } from '../memory/bytes-list.ts';

/** In a list of strings by their order, the first place whose string is not before `bytes`. */
export function placeOf(strings: BytesList, sorted: Int32Array, bytes: Uint8Array): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareBytes(strings.at(sorted[middle] ?? 0), bytes) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first place whose string is behind all that begin with `prefix`. */
export function placeBeyond(strings: BytesList, sorted: Int32Array, prefix: Uint8Array): number {
  // No byte of UTF-8 is so large.
  return placeOf(strings, sorted, Uint8Array.of(...prefix, 0xff));
}
