import { beforeEach, expect, it } from 'vitest';
import { giveBackScratch, scratchBytes, shrinkScratch, takeScratch } from './search-scratch.ts';

const many = 1_000_000;
const few = 100;

beforeEach(() => {
  shrinkScratch(0);
});

/** What a search leaves behind. */
function search(capacity: number): void {
  const scratch = takeScratch();
  scratch.numbers('scores', capacity);
  scratch.integers('candidates', capacity);
  giveBackScratch(scratch);
}

it('keeps what the largest index needs, and gives up the rest once that has gone', () => {
  search(many);
  const kept = scratchBytes();
  expect(kept).toBeGreaterThanOrEqual(many * 12);
  shrinkScratch(many);
  expect(scratchBytes()).toBe(kept);
  shrinkScratch(few);
  expect(kept - scratchBytes()).toBeGreaterThanOrEqual(many * 12);
});

it('keeps small ones in any case', () => {
  search(few);
  const kept = scratchBytes();
  expect(kept).toBeGreaterThan(0);
  shrinkScratch(0);
  expect(scratchBytes()).toBe(kept);
});

it('leaves a search that pauses its arrays, and gives them up when it ends', () => {
  // What other files have left, whose indexes were small.
  const before = scratchBytes();
  const scratch = takeScratch();
  const scores = scratch.numbers('scores', many);
  scores[many - 1] = 7;
  shrinkScratch(few);
  expect(scratch.numbers('scores', many)[many - 1]).toBe(7);
  giveBackScratch(scratch);
  expect(scratchBytes()).toBeLessThan(before + many);
});
