import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashNumbers } from '../../memory/hash.ts';
import { ValueSets } from './value-sets.ts';

const value = fc.oneof(fc.nat(3), fc.constantFrom(0.5, -0, 2 ** 31, 2 ** 32, 2 ** 52, -1));

test('equal rows have one number, different ones have others, counted from 0', () => {
  fc.assert(
    fc.property(fc.array(fc.array(value, { maxLength: 4 }), { maxLength: 80 }), (rows) => {
      const sets = new ValueSets();
      const known = new Map<string, number>();
      for (const row of rows) {
        const text = row.join();
        const expected = known.get(text) ?? known.size;
        known.set(text, expected);
        expect(sets.numberOf(Float64Array.from([...row, 7, 7]), row.length)).toBe(expected);
      }
    }),
  );
});

test('rows of codes that differ in one of them have different hashes, by their low bits too', () => {
  const rows = Array.from({ length: 30_000 }, (_, i) => Float64Array.of(3, i % 50, 7, i));
  const hashes = rows.map((row) => hashNumbers(row, row.length));
  expect(new Set(hashes).size).toBeGreaterThan(29_980);
  // Of 65,536, so many as chance gives about 24,000.
  expect(new Set(hashes.map((hash) => hash & 0xffff)).size).toBeGreaterThan(22_000);
});
