/**
 * The order of very many scores, as a heap of all of them would give it: best first, equals by `isBefore`. A radix sort of the numbers' bits, least digit first,
 * which asks `isBefore` of equals alone: a heap and a sort by comparisons took ten times as long for 80,000. O(n) and the comparisons of equals.
 * Source: D. Knuth, The Art of Computer Programming, volume 3, 5.2.5.
 */
import type { SearchScratch } from '../memory/search-scratch.ts';
import { isPauseDue, type Steps, stepUnits } from '../steps.ts';
import { sortSteps } from './sort-steps.ts';

const digitBits = 11;
const digits = 6;
const digitValues = 1 << digitBits;
const digitMask = digitValues - 1;
/** Units of work for each place in a pass. */
const passUnits = 2;

/** @param places whose scores count, ascending. None of these is NaN. @returns them in their order, in an array of the scratch that the next sort takes */
export function* bestFirst(
  scores: Float64Array,
  places: Int32Array,
  { isBefore, scratch }: { isBefore: (a: number, b: number) => boolean; scratch: SearchScratch },
): Steps<Int32Array> {
  const { length } = places;
  const keys = new SortKeys(scratch.integers('sortHigh', length), scratch.integers('sortLow', length));
  const counts = scratch.integers('sortCounts', digits * digitValues).fill(0);
  yield* inParts(places.length, (from, to) => keys.read(scores, places, { from, to, counts }));
  // By number of the place among `places`.
  let order = scratch.integers('sortOrder', length);
  let target = scratch.integers('sortTarget', length);
  for (let i = 0; i < length; i += 1) order[i] = i;
  for (let digit = 0; digit < digits; digit += 1) {
    const starts = startsOf(counts.subarray(digit * digitValues, (digit + 1) * digitValues), order.length);
    if (starts === null) continue;
    yield* inParts(order.length, (from, to) => keys.distribute(order, target, { from, to, starts, digit }));
    [order, target] = [target, order];
  }
  yield* inParts(order.length, (from, to) => {
    for (let i = from; i < to; i += 1) target[i] = places[order[i] ?? 0] ?? 0;
  });
  yield* orderEquals(target, scores, isBefore);
  return target;
}

interface Part {
  from: number;
  to: number;
}

function* inParts(length: number, work: (from: number, to: number) => void): Steps<void> {
  for (let from = 0; from < length; from += stepUnits) {
    const to = Math.min(from + stepUnits, length);
    work(from, to);
    if (isPauseDue((to - from) * passUnits)) yield;
  }
}

/** Scores as whole numbers of 64 bits of which the least is the best. */
class SortKeys {
  readonly #high: Int32Array;
  readonly #low: Int32Array;

  constructor(high: Int32Array, low: Int32Array) {
    this.#high = high;
    this.#low = low;
  }

  /** `counts`: how often each digit has each value, is added to. */
  read(scores: Float64Array, places: Int32Array, { from, to, counts }: Part & { counts: Int32Array }): void {
    for (let i = from; i < to; i += 1) {
      // So that −0 is 0.
      double[0] = (scores[places[i] ?? 0] ?? 0) + 0;
      const high = words[highWord] ?? 0;
      const isNegative = high >>> 31 === 1;
      this.#high[i] = isNegative ? high : ~high & 0x7fffffff;
      this.#low[i] = isNegative ? (words[1 - highWord] ?? 0) : ~(words[1 - highWord] ?? 0);
      for (let digit = 0; digit < digits; digit += 1) {
        const at = digit * digitValues + this.#digitAt(i, digit);
        counts[at] = (counts[at] ?? 0) + 1;
      }
    }
  }

  distribute(
    order: Int32Array,
    target: Int32Array,
    { from, to, starts, digit }: Part & { starts: Int32Array; digit: number },
  ): void {
    for (let i = from; i < to; i += 1) {
      const each = order[i] ?? 0;
      const value = this.#digitAt(each, digit);
      const place = starts[value] ?? 0;
      starts[value] = place + 1;
      target[place] = each;
    }
  }

  #digitAt(i: number, digit: number): number {
    const shift = digit * digitBits;
    const [high, low] = [this.#high[i] ?? 0, this.#low[i] ?? 0];
    if (shift >= 32) return (high >>> (shift - 32)) & digitMask;
    if (shift + digitBits <= 32) return (low >>> shift) & digitMask;
    return ((low >>> shift) | (high << (32 - shift))) & digitMask;
  }
}

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);
/** Little-endian, as every machine that runs this. */
const highWord = 1;

/** Where each value of a digit begins, in place of how often it is there; null: all have the same one. */
function startsOf(counts: Int32Array, length: number): Int32Array | null {
  let sum = 0;
  for (let value = 0; value < digitValues; value += 1) {
    const count = counts[value] ?? 0;
    if (count === length) return null;
    counts[value] = sum;
    sum += count;
  }
  return counts;
}

/** So few equals, of which there may be very many runs, are ordered without a sort: made ready it takes longer than they do. */
const insertedMax = 16;
/** Units of work for each of them. */
const insertedUnits = 32;

function insertInOrder(
  places: Int32Array,
  { from, to }: Pick<Part, 'from' | 'to'>,
  isBefore: (a: number, b: number) => boolean,
): void {
  for (let i = from + 1; i < to; i += 1) {
    const place = places[i] ?? 0;
    let at = i;
    for (; at > from && isBefore(place, places[at - 1] ?? 0); at -= 1) places[at] = places[at - 1] ?? 0;
    places[at] = place;
  }
}

function* orderEquals(
  places: Int32Array,
  scores: Float64Array,
  isBefore: (a: number, b: number) => boolean,
): Steps<void> {
  const order = (a: number, b: number) => {
    if (a === b) return 0;
    return isBefore(a, b) ? -1 : 1;
  };
  for (let from = 0; from < places.length; ) {
    const score = scores[places[from] ?? 0];
    let to = from + 1;
    while (to < places.length && scores[places[to] ?? 0] === score) to += 1;
    const count = to - from;
    if (count <= insertedMax) insertInOrder(places, { from, to }, isBefore);
    else yield* sortSteps(places.subarray(from, to), order);
    if (isPauseDue(count > 1 && count <= insertedMax ? count * insertedUnits : count)) yield;
    from = to;
  }
}
