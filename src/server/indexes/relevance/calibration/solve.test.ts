import fc from 'fast-check';
import { expect, test } from 'vitest';
import { solve } from './solve.ts';

const number = fc.double({ min: -5, max: 5, noNaN: true });

test('the solution, put in, gives the right side', () => {
  const systems = fc.integer({ min: 1, max: 4 }).chain((size) => {
    const row = fc.array(number, { minLength: size, maxLength: size });
    return fc.tuple(fc.array(row, { minLength: size, maxLength: size }), row);
  });
  fc.assert(
    fc.property(systems, ([root, right]) => {
      // A product with its own transpose, and 1 beside: symmetric and positive.
      const matrix = root.map((one, i) =>
        root.map((other, j) => one.reduce((sum, each, k) => sum + each * (other[k] ?? 0), Number(i === j))),
      );
      const solution = solve(matrix, right);
      matrix.forEach((row, i) => {
        const product = row.reduce((sum, each, j) => sum + each * (solution[j] ?? 0), 0);
        expect(product).toBeCloseTo(right[i] ?? 0, 6);
      });
    }),
  );
});
