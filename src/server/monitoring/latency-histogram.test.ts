import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addHistograms, countResponse, quantileOf } from './latency-histogram.ts';

const times = fc.array(fc.double({ min: 0.1, max: 600_000, noNaN: true }), { minLength: 1, maxLength: 300 });
const shares = fc.constantFrom(0, 0.5, 0.95, 0.99, 1);
function sumOf(all: number[]): number[] {
  const counts: number[] = [];
  for (const ms of all) countResponse(counts, ms);
  return counts;
}

/** Nearest rank, of all that were measured. */
function exact(all: number[], share: number): number {
  const sorted = [...all].sort((a, b) => a - b);
  return sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] ?? Number.NaN;
}

test('a percentile is off by less than 5 % of what sorting says', () => {
  fc.assert(
    fc.property(times, shares, (all, share) => {
      const [told, right] = [quantileOf(sumOf(all), share) ?? Number.NaN, exact(all, share)];
      // Three digits are told.
      expect(Math.abs(told - right) / right).toBeLessThanOrEqual(0.053);
    }),
  );
});

test('it is the same however the parts were added up', () => {
  fc.assert(
    fc.property(times, times, times, (a, b, c) => {
      const [one, two, three] = [sumOf(a), sumOf(b), sumOf(c)];
      expect(addHistograms(addHistograms(one, two), three)).toEqual(sumOf([...c, ...a, ...b]));
    }),
  );
});

test('none has no percentile; what is out of bounds counts at the bound', () => {
  expect(quantileOf([], 0.5)).toBeNull();
  expect(quantileOf([0, 0], 0.5)).toBeNull();
  expect(quantileOf(sumOf([0]), 0.5)).toBe(0.1);
  expect(quantileOf(sumOf([Number.NaN]), 0.5)).toBe(0.1);
  expect(quantileOf(sumOf([Number.POSITIVE_INFINITY]), 0.5)).toBeGreaterThan(550_000);
});
