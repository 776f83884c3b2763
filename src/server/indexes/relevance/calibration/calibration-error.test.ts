import fc from 'fast-check';
import { expect, test } from 'vitest';
import { brierScore, calibrationError, type ToldPair } from './calibration-error.ts';

const pair = fc.record({ relevance: fc.double({ min: 0, max: 1, noNaN: true }), isRelevant: fc.boolean() });
const told = (relevance: number, ...relevant: boolean[]): ToldPair[] =>
  relevant.map((isRelevant) => ({ relevance, isRelevant }));

test('worked out by hand', () => {
  const pairs = [...told(0.15, false, false, false, true), ...told(0.95, true, false)];
  // .15 where a quarter is relevant, .95 where half is.
  expect(calibrationError(pairs)).toBeCloseTo((4 * 0.1 + 2 * 0.45) / 6, 12);
  expect(brierScore(pairs)).toBeCloseTo((3 * 0.15 ** 2 + 0.85 ** 2 + 0.05 ** 2 + 0.95 ** 2) / 6, 12);
  // 1 lies in the last bin.
  expect(calibrationError(told(1, true))).toBe(0);
  expect([calibrationError([]), brierScore([])]).toEqual([0, 0]);
});

/** Bin by bin, as it is defined. */
function plainError(pairs: readonly ToldPair[]): number {
  let sum = 0;
  for (let bin = 0; bin < 10; bin += 1) {
    const own = pairs.filter(({ relevance }) => Math.min(9, Math.floor(relevance * 10)) === bin);
    if (own.length === 0) continue;
    const mean = own.reduce((total, { relevance }) => total + relevance, 0) / own.length;
    const share = own.filter(({ isRelevant }) => isRelevant).length / own.length;
    sum += (own.length / pairs.length) * Math.abs(mean - share);
  }
  return sum;
}

test('is what it is defined as, and both lie within 0 and 1', () => {
  fc.assert(
    fc.property(fc.array(pair, { minLength: 1, maxLength: 60 }), (pairs) => {
      expect(calibrationError(pairs)).toBeCloseTo(plainError(pairs), 9);
      for (const error of [calibrationError(pairs), brierScore(pairs)]) {
        expect(error).toBeGreaterThanOrEqual(0);
        expect(error).toBeLessThanOrEqual(1 + 1e-12);
      }
    }),
  );
});
