/**
 * Typed arrays that grow: the copy of a growing array is the price of exact memory figures and of loops over plain numbers.
 * Capacity grows by half, so that appending is linear and at most a third of the memory is unused.
 */
export type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

/** `array` itself, or a longer copy with room for `length` elements; the new ones are `fill`. */
export function withRoom<T extends Numbers>(array: T, length: number, fill = 0): T {
  if (length <= array.length) return array;
  const kind = array.constructor as new (capacity: number) => T;
  const grown = new kind(Math.max(length, Math.ceil(array.length * 1.5), 8));
  grown.set(array);
  if (fill !== 0) grown.fill(fill, array.length);
  return grown;
}
