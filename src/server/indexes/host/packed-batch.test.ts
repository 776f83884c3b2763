import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packBatch, unpackBatch } from './packed-batch.ts';

it('gives back the batch that was packed', () => {
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
      expect(unpackBatch(packBatch(given))).toEqual(given);
    }),
  );
});
