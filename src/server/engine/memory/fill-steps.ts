import { isPauseDue, type Steps } from '../steps.ts';

/** Elements that are filled without a pause, and of these in a unit of work: some ten microseconds. */
const filledMax = 1 << 15;
const filledInUnit = 4;

/** As `fill`, with pauses: an array may have an element for each of millions of documents. */
export function* fillSteps<T extends Uint8Array | Int32Array | Float64Array>(
  array: T,
  value: number,
): Steps<T> {
  for (let from = 0; from < array.length; from += filledMax) {
    const to = Math.min(from + filledMax, array.length);
    array.fill(value, from, to);
    if (isPauseDue((to - from) / filledInUnit)) yield;
  }
  return array;
}
