import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ByteShares } from '#server/admission/byte-shares.ts';
import type { Indexes, WritableCollection } from '#server/indexes/indexes.ts';
import { databases } from '#server/testing/databases.ts';
import {
  collect,
  exported,
  type IndexesWorld,
  openIndexesWorld,
  rowsOf,
} from '#server/testing/open-indexes.ts';
import { type ImportResult, type WriteAction, writeActions } from '#shared/documents.ts';

const fields = [
  { name: 'n', type: 'number' as const, required: false },
  { name: 'must', type: 'string' as const, required: true },
];

/** Few ids, so that rows meet each other; some rows are faulty, and some only where they are merged with others. */
const row = fc.oneof(
  { weight: 6, arbitrary: fc.record({ id: fc.integer({ min: 0, max: 6 }), must: fc.constant('x') }) },
  { weight: 3, arbitrary: fc.record({ id: fc.integer({ min: 0, max: 6 }), n: fc.integer() }) },
  { weight: 1, arbitrary: fc.record({ must: fc.constant('no id') }) },
  { weight: 1, arbitrary: fc.record({ id: fc.constant('1'), must: fc.constant(null) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      id: fc.integer({ min: 0, max: 6 }),
      must: fc.constant('x'),
      n: fc.constant('one'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ id: fc.constant('2'), must: fc.constant('y'.repeat(1_500)) }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>('{"id":', 7, { id: '' }) },
);

describe.each(databases)('a dry run, on the %s database', (kind) => {
  let world: IndexesWorld;
  beforeAll(async () => {
    world = await openIndexesWorld(kind);
  });
  afterAll(() => world.close());

  const usedBy = async () => {
    const [used] = await world.record
      .sql`select coalesce(sum(document_count), 0) as documents, coalesce(sum(document_bytes), 0) as bytes from collections`;
    return { documents: Number(used?.['documents']), bytes: Number(used?.['bytes']) };
  };
  /** A row that bears no id has one only once it is in. */
  const told = (results: ImportResult[], values: unknown[]) =>
    results.map((result) => {
      const value = values[result.index];
      const isNamed = typeof value === 'object' && value !== null && 'id' in value;
      if (isNamed) return result;
      // An id that was made for it is another one each time.
      const error = result.success ? {} : { error: result.error?.replace(/"[^"]+"/, '"…"') };
      return { ...result, id: null, ...error };
    });
  const importAll = (
    indexes: Indexes,
    collection: WritableCollection,
    action: WriteAction,
    values: unknown[],
  ) => collect(indexes.import(collection, { action, rows: rowsOf(values) }));

  it('tells what the import tells afterwards, quotas too, and writes nothing', async () => {
    const runs = fc.record({
      action: fc.constantFrom(...writeActions),
      stored: fc.array(row, { maxLength: 6 }),
      values: fc.array(row, { maxLength: 40 }),
      /** Whether a quota is reached on the way. */
      room: fc.option(fc.record({ documents: fc.nat(8), bytes: fc.nat(2_000) })),
    });
    let embedded = 0;
    const { embedder } = world;
    const counting = {
      ...embedder,
      embedDocuments: (...[asked, signal]: Parameters<typeof embedder.embedDocuments>) => {
        embedded += asked.texts.length;
        return embedder.embedDocuments(asked, signal);
      },
    };
    let failures = 0;
    await fc.assert(
      fc.asyncProperty(runs, async ({ action, stored, values, room }) => {
        const collection = await world.newCollection({ metadata: { fields } });
        await importAll(world.openIndexes(), collection, 'upsert', stored);
        const used = await usedBy();
        const documentLimits = room
          ? JSON.stringify({
              free: { documents: used.documents + room.documents, bytes: used.bytes + room.bytes },
            })
          : null;
        const indexes = world.openIndexes({ documentLimits, embedder: counting });
        const before = await exported(indexes, collection);
        embedded = 0;
        const dry = await collect(indexes.dryRun(collection, { action, rows: rowsOf(values) }));
        expect(embedded).toBe(0);
        expect([await exported(indexes, collection), await usedBy()]).toEqual([before, used]);
        const real = await importAll(indexes, collection, action, values);
        expect(told(dry, values)).toEqual(told(real, values));
        failures += real.filter(({ success }) => !success).length;
      }),
      { numRuns: 40 },
    );
    expect(failures).toBeGreaterThan(40);
  });

  it('knows over several batches what the rows before would have made', async () => {
    const collection = await world.newCollection();
    const indexes = world.openIndexes();
    const large = 'x'.repeat(1024 * 1024);
    const parts = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ id: 'one', [name]: large }));
    const dry = await collect(indexes.dryRun(collection, { action: 'emplace', rows: rowsOf(parts) }));
    expect(dry.map(({ success, code }) => (success ? 'in' : code))).toEqual([
      'in',
      'in',
      'in',
      'PAYLOAD_TOO_LARGE',
      'PAYLOAD_TOO_LARGE',
    ]);
    expect(await importAll(indexes, collection, 'emplace', parts)).toEqual(dry);
    const ids = Array.from({ length: 300 }, (_, i) => ({ id: `d${i % 150}` }));
    const created = await collect(indexes.dryRun(collection, { action: 'create', rows: rowsOf(ids) }));
    expect(created.filter(({ code }) => code === 'CONFLICT').map(({ index }) => index)).toEqual(
      Array.from({ length: 150 }, (_, i) => 150 + i),
    );
  });

  it('is refused what it would remember beside others, who have theirs again once it has ended', async () => {
    const collection = await world.newCollection();
    const dryRunMemory = new ByteShares(60_000);
    const indexes = world.openIndexes({ dryRunMemory });
    const ids = Array.from({ length: 250 }, (_, i) => ({ id: `d${i}` }));
    const run = () => indexes.dryRun(collection, { action: 'upsert', rows: rowsOf(ids) });
    const first = run()[Symbol.asyncIterator]();
    for (let i = 0; i < 250; i += 1) await first.next();
    expect(dryRunMemory.heldBytes).toBeGreaterThan(25_000);
    await expect(collect(run())).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 5 });
    await first.return?.();
    expect(dryRunMemory.heldBytes).toBe(0);
    expect(await collect(run())).toHaveLength(250);
    expect(dryRunMemory.heldBytes).toBe(0);
  });
});
