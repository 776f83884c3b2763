import fc from 'fast-check';
import { expect, it } from 'vitest';
import { memoryOf, packBatch, unpackBatch } from './packed-batch.ts';

it('gives back the batch that was packed, once its memory has moved as a whole', () => {
  const put = fc.record({
    id: fc.string(),
    source: fc.string(),
    vectors: fc.float32Array({ maxLength: 6 }),
    spans: fc
      .array(fc.integer({ min: -1, max: 100 }), { maxLength: 4 })
      .map((spans) => Int32Array.from(spans)),
  });
  const batch = fc.record({ version: fc.nat(), puts: fc.array(put), deletes: fc.array(fc.string()) });
  fc.assert(
    fc.property(batch, (given) => {
      const packed = packBatch(given);
      const memory = memoryOf(packed);
      expect(memory.length).toBe(given.puts.length > 0 ? 1 : 0);
      expect(unpackBatch(structuredClone(packed, { transfer: memory }))).toEqual(given);
      expect(packed.lengths.length).toBe(0);
    }),
  );
});
