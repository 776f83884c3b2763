import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SearchScratch } from '../memory/search-scratch.ts';
import { runSteps } from '../steps.ts';
import { bestFirst } from './best-first.ts';
import { TopK } from './top-k.ts';

const scratch = new SearchScratch();
const scores = fc.array(
  fc.oneof(
    fc.double({ noNaN: true }),
    fc.constantFrom(0, -0, 1, 1.5, -1, 1e-308, 5e-324, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
  ),
  { maxLength: 300 },
);

it('is the order that a heap of all of them gives', () => {
  fc.assert(
    fc.property(scores, fc.integer({ min: 1, max: 5 }), (all, every) => {
      const isBefore = (a: number, b: number) => a % 7 < b % 7 || (a % 7 === b % 7 && a > b);
      const values = Float64Array.from(all);
      const places = Int32Array.from(all.keys()).filter((place) => place % every === 0);
      const heap = new TopK(places.length, isBefore);
      for (const place of places) heap.offer(place, values[place] ?? 0);
      const expected = [...runSteps(heap.sorted()).ordinals];
      expect([...runSteps(bestFirst(values, places, { isBefore, scratch }))]).toEqual(expected);
    }),
  );
});

it('asks of equals alone which comes first', () => {
  let asked = 0;
  const isBefore = (a: number, b: number) => {
    asked += 1;
    return a < b;
  };
  const values = Float64Array.from({ length: 10_000 }, (_, i) => Math.sin(i));
  runSteps(bestFirst(values, Int32Array.from(values.keys()), { isBefore, scratch }));
  expect(asked).toBe(0);
});

it('pauses amid very many runs of a few equals', () => {
  let [asked, most] = [0, 0];
  const isBefore = (a: number, b: number) => {
    asked += 1;
    return a > b;
  };
  const values = Float64Array.from({ length: 40_000 }, (_, i) => i >>> 3);
  const steps = bestFirst(values, Int32Array.from(values.keys()), { isBefore, scratch });
  while (!steps.next().done) {
    most = Math.max(most, asked);
    asked = 0;
  }
  expect(most).toBeGreaterThan(0);
  // Three and a half for each of as many as are worth a pause.
  expect(most).toBeLessThan(4_000);
});
