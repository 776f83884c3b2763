import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { WriteBatch } from '#server/engine/types.ts';
import { applyBatch } from './apply-batch.ts';
import type { EngineRequest } from './engine-calls.ts';
import type { EngineHost } from './engine-host.ts';
import { createLocalHost } from './local-host.ts';
import { unpackBatch } from './packed-batch.ts';

const collection = { id: 1, for: { tenant: 't', caller: 'c' } };
const settings = { dimension: 2, metric: 'cosine' as const, fields: [] };

/** The batches that reach the engine for one. */
async function slicesOf(batch: WriteBatch): Promise<WriteBatch[]> {
  const slices: WriteBatch[] = [];
  const real = createLocalHost();
  await real.call(collection, { call: 'open', settings, snapshot: null });
  const host: EngineHost = {
    ...real,
    call: (asked, request) => {
      const given: EngineRequest = request;
      if ('batch' in given) slices.push(unpackBatch(given.batch));
      return real.call(asked, request);
    },
  };
  const stats = await applyBatch(host, collection, batch);
  expect(stats.version).toBe(batch.version);
  return slices;
}

const put = (id: string, length: number) => ({
  id,
  source: JSON.stringify({ id, text: 'x'.repeat(length) }),
  vectors: new Float32Array(0),
  spans: new Int32Array(0),
});

it('hands over all of a batch in its order, deletions first, in small slices', async () => {
  const batches = fc.record({
    version: fc.integer({ min: 1, max: 9 }),
    deletes: fc.array(fc.string({ minLength: 1 }), { maxLength: 20 }),
    puts: fc.array(
      fc.nat({ max: 3_000 }).map((length) => put('a', length)),
      { maxLength: 20 },
    ),
  });
  await fc.assert(
    fc.asyncProperty(batches, async (batch) => {
      const slices = await slicesOf(batch);
      expect(slices.flatMap(({ deletes }) => deletes)).toEqual(batch.deletes);
      expect(slices.flatMap(({ puts }) => puts)).toEqual(batch.puts);
      const firstPut = slices.findIndex(({ puts }) => puts.length > 0);
      if (firstPut !== -1) expect(slices.slice(firstPut).flatMap(({ deletes }) => deletes)).toEqual([]);
      for (const { version, puts, deletes } of slices) {
        expect(version).toBe(batch.version);
        expect(deletes.length).toBeLessThanOrEqual(4);
        const characters = puts.reduce((sum, { source }) => sum + source.length, 0);
        if (puts.length > 1) expect(characters).toBeLessThanOrEqual(2_048);
      }
    }),
    { numRuns: 100 },
  );
});

it('hands over a version that changed nothing', async () => {
  expect(await slicesOf({ version: 3, puts: [], deletes: [] })).toEqual([
    { version: 3, puts: [], deletes: [] },
  ]);
});
