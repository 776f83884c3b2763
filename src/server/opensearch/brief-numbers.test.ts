import fc from 'fast-check';
import { expect, test } from 'vitest';
import { briefly } from './brief-numbers.ts';

test('what is written in few digits is read as the same number of single precision', () => {
  const components = fc.oneof(
    fc.float({ noNaN: true, noDefaultInfinity: true }),
    fc.float({ min: -1, max: 1, noNaN: true }),
  );
  fc.assert(
    fc.property(fc.array(components), (given) => {
      const row = Float32Array.from(given);
      const read = Float32Array.from(JSON.parse(JSON.stringify(briefly(row))) as number[]);
      // JSON has no negative zero.
      expect(read).toEqual(row.map((component) => component + 0));
    }),
    { numRuns: 1_000 },
  );
});

test('a vector takes little more than half of the bytes', () => {
  const row = Float32Array.from({ length: 384 }, (_, i) => Math.sin(i * 7919) / 20);
  const bytes = (numbers: number[]) => JSON.stringify(numbers).length;
  expect(bytes(briefly(row))).toBeLessThan(0.65 * bytes(Array.from(row)));
});
