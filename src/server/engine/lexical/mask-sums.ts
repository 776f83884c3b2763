/** Numbers of the bits of masks, added up by mask: two tables of which each has half of the bits. */

/** Bits that masks have at most, and those of a table. */
export const slotsMax = 22;
const tableBits = slotsMax / 2;
const tableMask = (1 << tableBits) - 1;

/** Sums of some hundred numbers are right to so much of them. */
export const slack = 1 - 1e-9;

export class MaskSums {
  readonly #low: Float64Array;
  readonly #high: Float64Array;

  /** `numbers`: by bit. */
  constructor(numbers: readonly number[]) {
    this.#low = sumsOf(numbers.slice(0, tableBits));
    this.#high = sumsOf(numbers.slice(tableBits));
  }

  /** Not added in the order of the bits, so it is right but for rounding. */
  of(mask: number): number {
    return (this.#low[mask & tableMask] ?? 0) + (this.#high[mask >>> tableBits] ?? 0);
  }
}

/** The sum without its lowest bit is known when it is come to. */
function sumsOf(numbers: readonly number[]): Float64Array {
  const sums = new Float64Array(1 << numbers.length);
  for (let mask = 1; mask < sums.length; mask += 1) {
    const lowest = 31 - Math.clz32(mask & -mask);
    sums[mask] = (sums[mask & (mask - 1)] ?? 0) + (numbers[lowest] ?? 0);
  }
  return sums;
}
