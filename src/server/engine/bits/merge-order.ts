/**
 * Takes numbers into an order: `added`, which is in that order already, goes between the `known`. A place is looked for from the one
 * before it, in strides that double, so that few among many cost a search each and many among many a comparison each.
 */
import type { Steps } from '../steps.ts';
import type { Order } from './sort-steps.ts';

/** Numbers whose places are found, or that are copied, without a pause. */
const placedMax = 256;
const copiedMax = 1 << 17;

/** Of equals the known come first. */
export function* mergeOrder(
  known: Int32Array,
  added: Int32Array,
  order: Order,
): Steps<Int32Array<ArrayBuffer>> {
  const merged = new Int32Array(known.length + added.length);
  let from = 0;
  let copied = 0;
  for (let i = 0; i < added.length; i += 1) {
    const number = added[i] ?? 0;
    const place = placeFrom(known, from, (each) => order(each, number) <= 0);
    merged.set(known.subarray(from, place), from + i);
    merged[place + i] = number;
    copied += place - from;
    from = place;
    if ((i + 1) % placedMax !== 0 && copied < copiedMax) continue;
    copied = 0;
    yield;
  }
  merged.set(known.subarray(from), from + added.length);
  return merged;
}

/** The first place from `from` on whose number does not come before; those that do stand before all others. */
function placeFrom(numbers: Int32Array, from: number, comesBefore: (number: number) => boolean): number {
  let low = from;
  let high = from;
  for (let stride = 1; high < numbers.length && comesBefore(numbers[high] ?? 0); stride *= 2) {
    low = high + 1;
    high = low + stride;
  }
  high = Math.min(high, numbers.length);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comesBefore(numbers[middle] ?? 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}
