/**
 * Sorts numbers in place by an order that may be dear to ask: runs of `runLength` on their own, then merged two by two, with a pause
 * after each run and each few hundred merged places. Stable. O(n log n) comparisons and a copy of the array.
 */
import { isPauseDue, noSteps, noteWork, type Steps } from '../steps.ts';

const runLength = 512;
/** So few, a page of hits, are sorted before there are any steps. */
const sortedAtOnceMax = 64;
/** Units of work for each number of a run, and for each that is merged. */
const sortUnits = 64;
const mergeUnits = 16;

export type Order = (a: number, b: number) => number;

export function sortSteps(numbers: Int32Array, order: Order): Steps<void> {
  if (numbers.length > sortedAtOnceMax) return sortRuns(numbers, order);
  numbers.sort(order);
  noteWork(numbers.length * sortUnits);
  return noSteps;
}

function* sortRuns(numbers: Int32Array, order: Order): Steps<void> {
  const { length } = numbers;
  for (let from = 0; from < length; from += runLength) {
    numbers.subarray(from, from + runLength).sort(order);
    if (isPauseDue(Math.min(runLength, length - from) * sortUnits)) yield;
  }
  let source = numbers;
  let target = length > runLength ? numbers.slice() : numbers;
  for (let width = runLength; width < length; width *= 2) {
    for (let from = 0; from < length; from += 2 * width) {
      const middle = Math.min(from + width, length);
      yield* merge({ source, target, from, middle, end: Math.min(middle + width, length) }, order);
    }
    [source, target] = [target, source];
  }
  if (source !== numbers) numbers.set(source);
}

/** Two neighbouring runs of the source as one of the target. */
interface Runs {
  source: Int32Array;
  target: Int32Array;
  from: number;
  middle: number;
  end: number;
}

function* merge({ source, target, from, middle, end }: Runs, order: Order): Steps<void> {
  let left = from;
  let right = middle;
  for (let place = from; place < end; ) {
    for (const pause = Math.min(place + runLength, end); place < pause; place += 1) {
      const isLeft = right === end || (left < middle && order(source[left] ?? 0, source[right] ?? 0) <= 0);
      target[place] = (isLeft ? source[left++] : source[right++]) ?? 0;
    }
    if (isPauseDue(runLength * mergeUnits)) yield;
  }
}

/** Numbers that are sorted in one go, by themselves: a millisecond. */
const sortedAtOnce = 1 << 14;

/** In ascending order, in place. */
export function* sortAscending(numbers: Int32Array): Steps<void> {
  if (numbers.length <= sortedAtOnce) numbers.sort();
  else yield* sortSteps(numbers, (a, b) => a - b);
}
