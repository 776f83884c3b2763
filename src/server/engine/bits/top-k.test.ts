import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runSteps } from '../steps.ts';
import { TopK } from './top-k.ts';

const isBefore = (a: number, b: number): boolean => a < b;
// Few different scores, so that ties are common.
const score = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0.5),
);

describe('TopK', () => {
  test('keeps what sorting everything would put first, whatever the order of the offers', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(500), { maxLength: 80 }),
        fc.array(score),
        fc.nat(100),
        (ids, scores, k) => {
          const all = ids.map((ordinal, i) => ({ ordinal, score: scores[i] ?? 0 }));
          const top = new TopK(k, isBefore);
          for (const each of all) top.offer(each.ordinal, each.score);
          const expected = all
            .toSorted((a, b) => (a.score === b.score ? a.ordinal - b.ordinal : a.score < b.score ? 1 : -1))
            .slice(0, k);
          const { ordinals, scores: kept } = runSteps(top.sorted());
          expect([...ordinals]).toEqual(expected.map((each) => each.ordinal));
          expect([...kept]).toEqual(expected.map((each) => each.score));
        },
      ),
    );
  });

  test('a k far beyond the number of offers costs no memory and loses nothing', () => {
    const top = new TopK(1e9, isBefore);
    for (let i = 0; i < 2_000; i++) top.offer(i, i % 7);
    expect(runSteps(top.sorted()).ordinals.length).toBe(2_000);
  });

  test('refuses NaN', () => {
    expect(() => new TopK(1, isBefore).offer(0, Number.NaN)).toThrow(RangeError);
  });
});
