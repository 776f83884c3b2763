import { expect, it } from 'vitest';
import type { Embeddable } from './embeddable.ts';
import { placedAnew } from './placed-anew.ts';

const text = (...spans: number[][]): Embeddable => ({
  text: { title: '', text: '' },
  passages: [],
  spans: Int32Array.from(spans.flat()),
  cut: [],
});
const placed = (kept: number[][], all: Embeddable | null) =>
  placedAnew({ spans: Int32Array.from(kept.flat()) }, all)?.spans;

it('places all passages by their order', () => {
  expect(placed([[0, 0, 9]], text([1, 0, 9]))).toEqual(Int32Array.of(1, 0, 9));
  expect(placed([[0, 0, 9]], text([-1, 0, 4]))).toEqual(Int32Array.of(-1, 0, 4));
});

it('places those that have a vector by where they start and end', () => {
  const all = text([1, 0, 9], [1, 9, 20], [1, 20, 30], [2, 0, 5]);
  const kept = [
    [0, 9, 20],
    [1, 0, 5],
  ];
  expect(placed(kept, all)).toEqual(Int32Array.of(1, 9, 20, 2, 0, 5));
});

it('answers null where it cannot be told which passages have a vector', () => {
  // Of two fields the first may be the one without a known word, or the second.
  expect(placed([[1, 0, 9]], text([1, 0, 9], [2, 0, 9]))).toBe(undefined);
  expect(placed([[0, 3, 9]], text([1, 0, 9], [2, 0, 9]))).toBe(undefined);
});

it('leaves what has no vector as it is', () => {
  expect(placed([], text([1, 0, 9]))).toEqual(new Int32Array(0));
  expect(placed([], null)).toEqual(new Int32Array(0));
});
