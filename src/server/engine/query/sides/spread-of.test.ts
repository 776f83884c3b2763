import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinedSpread, spreadOf } from './spread-of.ts';

const similarity = fc.oneof(
  { weight: 8, arbitrary: fc.double({ min: -1, max: 1, noNaN: true }) },
  { weight: 1, arbitrary: fc.constant(Number.NEGATIVE_INFINITY) },
);

test('the spread of several indexes is that of one with all their documents', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(similarity, { maxLength: 20 }), { minLength: 1, maxLength: 5 }),
      (indexes) => {
        const known = indexes.flat().filter((each) => each > Number.NEGATIVE_INFINITY);
        const { count, mean, deviation } = joinedSpread(
          indexes.map((each) => spreadOf(Float64Array.from(each), 1)),
        );
        expect(count).toBe(known.length);
        if (count === 0) return;
        const plainMean = known.reduce((sum, each) => sum + each, 0) / count;
        const plainSquares = known.reduce((sum, each) => sum + (each - plainMean) ** 2, 0);
        expect(mean).toBeCloseTo(plainMean, 6);
        expect(deviation).toBeCloseTo(Math.sqrt(plainSquares / count), 6);
      },
    ),
  );
});

test('a document that stands for several counts as so many', () => {
  const thrice = joinedSpread([spreadOf(Float64Array.of(0.1, 0.5), 4), spreadOf(Float64Array.of(0.9), 1)]);
  const plain = joinedSpread([spreadOf(Float64Array.of(0.1, 0.1, 0.1, 0.1, 0.5, 0.5, 0.5, 0.5, 0.9), 1)]);
  expect(thrice).toEqual(plain);
});

test('equal similarities have no spread at all', () => {
  const equal = joinedSpread([
    spreadOf(new Float64Array(7).fill(0.1), 1),
    spreadOf(new Float64Array(3).fill(0.1), 1),
  ]);
  expect(equal.deviation).toBe(0);
});
