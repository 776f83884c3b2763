import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runSteps } from '../steps.ts';
import { mergeOrder } from './merge-order.ts';

test('takes numbers into an order as a stable sort of all does', () => {
  const lengths = fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constantFrom(255, 256, 257, 3_000));
  fc.assert(
    fc.property(lengths, lengths, fc.integer({ min: 1, max: 2_000 }), (known, added, spread) => {
      const keys = Array.from({ length: known + added }, (_, i) => (i * 7_919) % spread);
      const order = (a: number, b: number) => (keys[a] ?? 0) - (keys[b] ?? 0);
      const numbers = keys.map((_, i) => i);
      const merged = mergeOrder(
        Int32Array.from(numbers.slice(0, known).sort(order)),
        Int32Array.from(numbers.slice(known).sort(order)),
        order,
      );
      expect([...runSteps(merged)]).toEqual(numbers.sort(order));
    }),
  );
});

test('compares few numbers with many by a search each', () => {
  let compared = 0;
  const order = (a: number, b: number) => {
    compared += 1;
    return a - b;
  };
  const known = Int32Array.from({ length: 100_000 }, (_, i) => 2 * i);
  runSteps(mergeOrder(known, Int32Array.of(3, 70_001, 190_000), order));
  expect(compared).toBeLessThan(150);
});
