import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runSteps } from '../steps.ts';
import { sortAscending, sortSteps } from './sort-steps.ts';

test('sorts as a stable sort does, whatever the length', () => {
  const lengths = fc.oneof(
    fc.integer({ min: 0, max: 20 }),
    fc.constantFrom(511, 512, 513, 1_024, 1_537, 5_000),
  );
  fc.assert(
    fc.property(lengths, fc.integer({ min: 1, max: 1_000 }), (length, spread) => {
      const keys = Array.from({ length }, (_, i) => (i * 7_919) % spread);
      const order = (a: number, b: number) => (keys[a] ?? 0) - (keys[b] ?? 0);
      const places = Int32Array.from(keys, (_, i) => i);
      const sorted = places.slice();
      runSteps(sortSteps(sorted, order));
      expect([...sorted]).toEqual([...places].sort(order));
    }),
  );
});

test('compares some thousand times at most between two pauses', () => {
  let compared = 0;
  let most = 0;
  const keys = Array.from({ length: 20_000 }, (_, i) => (i * 7_919) % 20_000);
  const order = (a: number, b: number) => {
    compared += 1;
    return (keys[a] ?? 0) - (keys[b] ?? 0);
  };
  for (const _ of sortSteps(
    Int32Array.from(keys, (_, i) => i),
    order,
  )) {
    most = Math.max(most, compared);
    compared = 0;
  }
  expect(most).toBeLessThan(8_192);
});

test.each([0, 1, 1_000, 16_384, 16_385, 50_000])('sorts %d numbers in ascending order', (length) => {
  const numbers = Int32Array.from({ length }, (_, i) => ((i * 7_919) % 10_007) - 5_000);
  const sorted = numbers.slice();
  runSteps(sortAscending(sorted));
  expect(sorted).toEqual(numbers.toSorted());
});
