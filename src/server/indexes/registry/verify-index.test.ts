import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '#server/testing/databases.ts';
import { type IndexesWorld, openIndexesWorld } from '#server/testing/open-indexes.ts';
import { watchedHost } from '#server/testing/watched-host.ts';
import { limits } from '#shared/limits.ts';
import { packBatch } from '../host/packed-batch.ts';

describe.each(databases)('an index that is compared with its record on the %s database', (kind) => {
  let world: IndexesWorld;
  beforeAll(async () => {
    world = await openIndexesWorld(kind);
  });
  afterAll(() => world.close());

  /** A collection with documents, and an engine that can be told what the record does not know. */
  async function plantable(ids: string[]) {
    const { host } = watchedHost(() => undefined);
    const indexes = world.openIndexes({ host });
    const collection = await world.newCollection();
    for (const id of ids)
      await indexes.write(collection, { action: 'upsert', document: { id, title: `of ${id}` } });
    let version = 1_000_000;
    const plant = async (change: { puts?: Record<string, string>; deletes?: string[] }) => {
      version += 1;
      const puts = Object.entries(change.puts ?? {}).map(([id, title]) => ({
        id,
        source: JSON.stringify({ id, title }),
        vectors: new Float32Array(0),
        spans: new Int32Array(0),
      }));
      const batch = packBatch({ version, puts, deletes: change.deletes ?? [] });
      await host.call(collection, { call: 'apply', batch });
    };
    return { indexes, collection, plant };
  }

  it('agrees with it after writes', async () => {
    const { indexes, collection } = await plantable(['a', 'b', 'c']);
    await indexes.delete(collection, 'b');
    const exact = { scan: 'exact', recall: 1 };
    const nothing = { missing: [], ghosts: [], stale: [], more: false, ...exact };
    expect(await indexes.verify(collection)).toEqual({ documents: 2, indexed: 2, ...nothing });
    expect(await indexes.verify(await world.newCollection())).toEqual({
      documents: 0,
      indexed: 0,
      ...nothing,
    });
  });

  it('is told by a planted ghost, gap and other text, which a repair heals', async () => {
    const { indexes, collection, plant } = await plantable(['a', 'b', 'c']);
    await plant({ puts: { ghost: 'of nobody', c: 'of another' }, deletes: ['b'] });
    const differing = { missing: ['b'], ghosts: ['ghost'], stale: ['c'], more: false };
    expect(await indexes.verify(collection)).toMatchObject(differing);
    expect(await indexes.repair(collection)).toEqual({ documents: 3 });
    const healed = {
      documents: 3,
      indexed: 3,
      missing: [],
      ghosts: [],
      stale: [],
      more: false,
      scan: 'exact',
      recall: 1,
    };
    expect(await indexes.verify(collection)).toEqual(healed);
  });

  it('tells no write that comes while it is compared for a difference', async () => {
    const { indexes, collection } = await plantable(['a', 'b']);
    const writes = Array.from({ length: 40 }, (_, i) =>
      indexes.write(collection, {
        action: 'upsert',
        document: { id: i % 2 ? 'a' : `new ${i}`, title: `${i}` },
      }),
    );
    expect(await indexes.verify(collection)).toMatchObject({ missing: [], ghosts: [], stale: [] });
    await Promise.all(writes);
  });

  it('names so many at most', async () => {
    const { indexes, collection, plant } = await plantable(['a']);
    const many = Array.from({ length: limits.verifyIdsMax + 5 }, (_, i) => [`ghost ${i}`, 'x'] as const);
    await plant({ puts: Object.fromEntries(many) });
    const { ghosts, more } = await indexes.verify(collection);
    expect([ghosts.length, more]).toEqual([limits.verifyIdsMax, true]);
  });
});
