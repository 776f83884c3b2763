/**
 * Typed arrays that grow: the copy of a growing array is the price of exact memory figures and of loops over plain numbers.
 * Capacity grows by half, so that appending is linear and at most a third of the memory is unused.
 */
import type { Steps } from '../steps.ts';

export type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

/** Elements that are copied without a pause. */
const copiedMax = 1 << 17;

/** `array` itself, or a longer copy with room for `length` elements; the new ones are `fill`. */
export function withRoom<T extends Numbers>(array: T, length: number, fill = 0): T {
  if (length <= array.length) return array;
  const grown = longer(array, length);
  grown.set(array);
  if (fill !== 0) grown.fill(fill, array.length);
  return grown;
}

/** The same in steps, so that an array of millions may grow. It must not change meanwhile. */
export function* roomSteps<T extends Numbers>(array: T, length: number, fill = 0): Steps<T> {
  if (length <= array.length) return array;
  const grown = longer(array, length);
  for (let from = 0; from < grown.length; from += copiedMax) {
    const to = Math.min(from + copiedMax, grown.length);
    if (from < array.length) grown.set(array.subarray(from, to), from);
    if (fill !== 0 && to > array.length) grown.fill(fill, Math.max(from, array.length), to);
    if (to < grown.length) yield;
  }
  return grown;
}

function longer<T extends Numbers>(array: T, length: number): T {
  const kind = array.constructor as new (capacity: number) => T;
  return new kind(Math.max(length, Math.ceil(array.length * 1.5), 8));
}
