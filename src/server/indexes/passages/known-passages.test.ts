import { expect, it } from 'vitest';
import { knownPassages } from './known-passages.ts';

it('leaves out rows of zeros with their spans, and says that none is left', () => {
  const spans = Int32Array.of(0, 0, 5, 0, 5, 9, 1, 0, 4);
  const some = knownPassages({ vectors: Float32Array.of(1, 0, 0, 0, 0, 2), spans }, 2);
  expect(some).toEqual({
    vectors: Float32Array.of(1, 0, 0, 2),
    spans: Int32Array.of(0, 0, 5, 1, 0, 4),
  });
  const all = { vectors: Float32Array.of(1, 0, 0, 1, 1, 1), spans };
  expect(knownPassages(all, 2)).toEqual(all);
  expect(knownPassages({ vectors: new Float32Array(6), spans }, 2)).toBe(null);
});
