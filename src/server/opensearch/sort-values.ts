import type { TypedValues } from '#server/engine/search-index.ts';

/**
 * What a field is sorted by, as one text for each value whose bytes are in the order of the values: numbers before dates, booleans and texts. A document
 * counts by the values of the first of these that it has, as in the embedded engine.
 */
export function sortValues({ numbers, dates, booleans, strings }: TypedValues): string[] {
  if (numbers.length > 0) return numbers.map((value) => `0${ordered(value)}`);
  if (dates.length > 0) return dates.map((value) => `1${ordered(value)}`);
  if (booleans.length > 0) return booleans.map((value) => `2${Number(value)}`);
  return [...new Set(strings.map(({ folded }) => `3${folded}`))];
}

const scratch = new DataView(new ArrayBuffer(8));

/** The bits of a double so that greater numbers have greater ones: the sign bit of positive numbers set, all bits of negative ones turned over. */
function ordered(value: number): string {
  scratch.setFloat64(0, value);
  const bits = scratch.getBigUint64(0);
  const isNegative = bits >> 63n === 1n;
  const turned = isNegative ? BigInt.asUintN(64, ~bits) : bits | (1n << 63n);
  return turned.toString(16).padStart(16, '0');
}
