import { expect, test } from 'vitest';
import { normalisingSteps } from '#server/engine/testing/normalising-steps.ts';
import { foldArabic } from './arabic-words.ts';
import { foldTurkish } from './turkish-letters.ts';

test.each([
  ['Arabic', foldArabic, 'ب'],
  ['Turkish', foldTurkish, 'k'],
])('in %s a run of marks is cut before it is sorted', (_, foldOf, letter) => {
  const word = letter + '\u0301\u0323'.repeat(500);
  const { steps } = normalisingSteps(() => foldOf(word));
  expect(steps).toBeGreaterThan(0);
  // 30 steps a mark at most, a few times over.
  expect(steps).toBeLessThanOrEqual(100 * word.length);
});
