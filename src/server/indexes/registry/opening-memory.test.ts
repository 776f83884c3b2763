import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  asRead,
  collect,
  type IndexesWorld,
  openIndexesWorld,
  parameters,
  rowsOf,
  testRequester,
} from '#server/testing/open-indexes.ts';
import { watchedHost } from '#server/testing/watched-host.ts';
import type { CollectionHandle, Indexes, WritableCollection } from '../indexes.ts';

function heldUp() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { ended, end: () => end() };
}

/** What is opened together, and by whom. */
describe('memory for indexes', () => {
  const documents = 150;
  let world: IndexesWorld;
  /** Of one of the collections, open and on the disk. */
  let indexBytes: number;

  beforeAll(async () => {
    world = await openIndexesWorld('bundled');
    const [one] = await saved(1);
    const reader = world.openIndexes();
    await found(reader, one ?? expect.fail());
    indexBytes = reader.stats().memoryBytes;
  });
  afterAll(() => world.close());

  const everything = parameters({ query: '*' });
  const found = async (indexes: Indexes, collection: CollectionHandle) =>
    (await indexes.search(collection, everything)).found;
  const of = (tenant: string, collection: CollectionHandle): CollectionHandle => ({
    ...collection,
    for: { ...testRequester, tenant },
  });
  const settings = (indexMemoryBytes: number) => ({
    dataDir: path.dirname(world.snapshotsDir),
    indexMemoryBytes,
    answerBytesMax: 1e6,
  });
  const rows = () =>
    rowsOf(Array.from({ length: documents }, (_, i) => ({ id: `d${i}`, title: `title ${i}` })));
  const removeSnapshot = async ({ id }: CollectionHandle) => {
    const names = await readdir(world.snapshotsDir);
    for (const name of names.filter((each) => each.startsWith(`${id}-`)))
      await rm(path.join(world.snapshotsDir, name), { recursive: true });
  };

  /** Collections of documents whose indexes are on the disk and not open. */
  async function saved(count: number): Promise<WritableCollection[]> {
    const writer = world.openIndexes();
    const collections: WritableCollection[] = [];
    for (let i = 0; i < count; i += 1) {
      const collection = await world.newCollection();
      await collect(writer.import(collection, { action: 'upsert', rows: rows() }));
      collections.push(collection);
    }
    await writer.stop();
    return collections;
  }

  it('is never exceeded, however many are opened at once', async () => {
    const collections = await saved(12);
    const bytesMax = 4 * indexBytes;
    let most = 0;
    const { host } = watchedHost(() => {
      most = Math.max(most, reader.stats().memoryBytes);
    });
    const reader: Indexes = world.openIndexes({ host, settings: settings(bytesMax) });
    const all = await Promise.all(collections.map((collection) => found(reader, collection)));
    expect(all).toEqual(collections.map(() => documents));
    expect(most).toBeGreaterThan(indexBytes);
    expect(most).toBeLessThanOrEqual(bytesMax);
  });

  it("is the opener's own: a tenant that opens many leaves another's index loaded", async () => {
    const [mine, ...theirs] = await saved(9);
    const own = of('careful', mine ?? expect.fail());
    const opened: number[] = [];
    const { host } = watchedHost((call, id) => {
      if (call === 'open') opened.push(id);
    });
    const reader = world.openIndexes({ host, settings: settings(4 * indexBytes) });
    expect(await found(reader, own)).toBe(documents);
    for (let round = 0; round < 2; round += 1) {
      for (const collection of theirs) expect(await found(reader, of('greedy', collection))).toBe(documents);
    }
    expect(await found(reader, own)).toBe(documents);
    expect(opened.filter((id) => id === own.id)).toHaveLength(1);
    expect(opened.length).toBeGreaterThan(theirs.length + 1);
  });

  it('is left, by an index that is searched without a pause, to an account that has less', async () => {
    const [small, ...large] = await saved(4);
    let time = 0;
    const { host } = watchedHost();
    const now = () => {
      time += 0.001;
      return time;
    };
    const reader = world.openIndexes({ host, now, settings: settings(4.5 * indexBytes) });
    let isOver = false;
    const searched = new Set<number>();
    const busy = large.map(async (collection) => {
      while (!isOver) {
        expect(await found(reader, of('busy', collection))).toBe(documents);
        searched.add(collection.id);
      }
    });
    await expect.poll(() => searched.size).toBe(3);
    time += 6_000;
    expect(await found(reader, of('modest', small ?? expect.fail()))).toBe(documents);
    // The others are searched on, in turns.
    isOver = true;
    await Promise.all(busy);
  });

  it('is left before changes that wait for their turn, and amid long reads, which begin anew', async () => {
    const [small = expect.fail(), ...large] = await saved(4);
    let time = 0;
    const now = () => {
      time += 0.001;
      return time;
    };
    const drained = heldUp();
    const over = heldUp();
    const changing: number[] = [];
    const { host, calls } = watchedHost((call, id, signal) => {
      if (call === 'documents' && changing.length < 3) {
        changing.push(id);
        return drained.ended;
      }
      if (call === 'documents') return over.ended;
      if (call !== 'lines') return undefined;
      return new Promise((resolve, reject) => {
        void over.ended.then(resolve);
        signal?.addEventListener('abort', () => {
          drained.end();
          reject(signal.reason);
        });
      });
    });
    const reader = world.openIndexes({ host, now, settings: settings(4.5 * indexBytes) });
    const busy = large.map((collection) => of('busy', collection));
    const exported = busy.map((collection) =>
      collect(
        reader.export(collection, {
          filterBy: undefined,
          includeFields: undefined,
          excludeFields: undefined,
        }),
      ),
    );
    await expect.poll(() => calls.filter((call) => call === 'lines')).toHaveLength(3);
    const deleted = busy.flatMap((collection) =>
      ['d0', 'd1', 'd2'].map((id) => reader.delete(collection, id)),
    );
    await expect.poll(() => changing.toSorted()).toEqual(large.map(({ id }) => id).toSorted());
    time += 6_000;
    expect(await found(reader, of('modest', small))).toBe(documents);
    expect(calls.filter((call) => call === 'close')).toHaveLength(1);
    over.end();
    await Promise.all(deleted);
    for (const texts of await Promise.all(exported))
      expect(Buffer.concat(texts).toString().split('\n').length - 1).toBeGreaterThanOrEqual(documents - 3);
  });

  it('is reserved for an opening as its vectors are read: another one finds room beside it', async () => {
    const [other = expect.fail()] = await saved(1);
    const large = await world.newCollection({ dimension: 4_096 });
    const writer = world.openIndexes();
    const withoutVectors = rowsOf(Array.from({ length: 2_000 }, (_, i) => ({ id: `d${i}` })));
    await collect(writer.import(large, { action: 'upsert', rows: withoutVectors }));
    await writer.stop();
    await removeSnapshot(large);
    const held = heldUp();
    const { host, calls } = watchedHost((call, id) =>
      call === 'apply' && id === large.id ? held.ended : undefined,
    );
    const reader = world.openIndexes({ host, settings: settings(10 * indexBytes) });
    const opening = found(reader, of('large', large));
    await expect.poll(() => calls).toContain('apply');
    expect(await found(reader, of('modest', other))).toBe(documents);
    held.end();
    expect(await opening).toBe(2_000);
  });

  it('is reserved for an index and a few chunks of its file, not for all of that: another one stays', async () => {
    const writer = world.openIndexes();
    const large = [
      await world.newCollection({ dimension: 4_096 }),
      await world.newCollection({ dimension: 4_096 }),
    ];
    const made = () =>
      rowsOf(Array.from({ length: 1_200 }, (_, i) => ({ id: `d${i}`, title: `title ${i}` })));
    for (const collection of large)
      await collect(writer.import(collection, { action: 'upsert', rows: made() }));
    await writer.stop();
    const alone = world.openIndexes();
    expect(await found(alone, large[0] ?? expect.fail())).toBe(1_200);
    const largeBytes = alone.stats().memoryBytes;
    await alone.stop();
    expect(largeBytes).toBeGreaterThan(20e6);
    const { host, calls } = watchedHost();
    const reader = world.openIndexes({ host, settings: settings(2.6 * largeBytes) });
    for (const collection of large) expect(await found(reader, collection)).toBe(1_200);
    expect(reader.stats().loaded).toBe(2);
    expect(calls).not.toContain('close');
  });

  it('is counted for an index without documents too', async () => {
    const reader = world.openIndexes();
    const empty = await world.newCollection();
    expect(await found(reader, empty)).toBe(0);
    expect(reader.stats().memoryBytes).toBe(65_536);
    await reader.write(empty, { action: 'upsert', document: { id: 'a' } });
    expect(reader.stats().memoryBytes).toBe(65_536);
  });

  it('is not needed to delete documents of a collection that is too large by their ids', async () => {
    const [collection = expect.fail()] = await saved(1);
    const { host, calls } = watchedHost();
    const reader = world.openIndexes({ host, settings: settings(indexBytes / 2) });
    const refused = { code: 'UNPROCESSABLE', message: expect.stringContaining('deleted by their ids') };
    await expect(reader.deleteByFilter(collection, { filterBy: 'id:d1' })).rejects.toMatchObject(refused);
    expect(asRead(await reader.delete(collection, 'd1'))).toEqual({ id: 'd1', title: 'title 1' });
    await expect(reader.delete(collection, 'd1')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(calls).not.toContain('open');
    expect(await found(world.openIndexes(), collection)).toBe(documents - 1);
  });

  it('is refused to a collection that takes more than all may have, before anything of it is read', async () => {
    const [large, other] = await saved(2);
    const collection = large ?? expect.fail();
    const { host, calls } = watchedHost();
    const reader = world.openIndexes({ host, settings: settings(indexBytes / 2) });
    const refused = { code: 'UNPROCESSABLE', message: expect.stringContaining('INDEX_MEMORY_MB') };
    await expect(found(reader, collection)).rejects.toMatchObject(refused);
    const upsert = reader.write(collection, { action: 'upsert', document: { id: 'more' } });
    await expect(upsert).rejects.toMatchObject(refused);
    expect(calls).not.toContain('open');
    expect(reader.stats()).toMatchObject({ loaded: 0, memoryBytes: 0 });
    const empty = await world.newCollection();
    expect(await found(reader, empty)).toBe(0);
    await reader.drop(collection.id);
    expect(await found(world.openIndexes(), other ?? expect.fail())).toBe(documents);
  });

  it('is counted while an index is built from the record, which stops when it cannot fit, and is not tried again', async () => {
    const [collection = expect.fail()] = await saved(1);
    await removeSnapshot(collection);
    const { host, calls } = watchedHost();
    const reader = world.openIndexes({ host, settings: settings(indexBytes / 2) });
    const refused = { code: 'UNPROCESSABLE', message: expect.stringContaining('INDEX_MEMORY_MB') };
    await expect(found(reader, collection)).rejects.toMatchObject(refused);
    expect(calls).toContain('open');
    expect(reader.stats()).toMatchObject({ loaded: 0, memoryBytes: 0 });
    calls.length = 0;
    await expect(found(reader, collection)).rejects.toMatchObject(refused);
    expect(calls).not.toContain('open');
    await expect(reader.repair(collection)).rejects.toMatchObject(refused);
    expect(calls).toContain('open');
    expect(await found(world.openIndexes(), collection)).toBe(documents);
  });

  it('is refused to further documents of a collection that has outgrown it, and the record stays right', async () => {
    const collection = await world.newCollection();
    // A table of vectors grows by a block, which is to be little beside all there is.
    const all = settings(4 * indexBytes);
    const indexes = world.openIndexes({ settings: all });
    let written = 0;
    let refusal: unknown;
    for (; refusal === undefined && written < 10 * documents; ) {
      const document = { id: `d${written}`, title: 'x'.repeat(200) };
      await indexes.write(collection, { action: 'upsert', document }).then(
        () => {
          written += 1;
        },
        (error: unknown) => {
          refusal = error;
        },
      );
    }
    expect(refusal).toMatchObject({
      code: 'UNPROCESSABLE',
      message: expect.stringContaining('INDEX_MEMORY_MB'),
    });
    const [row] = await world.record.sql`
      select document_count, (select count(*) from documents where collection_id = collections.id) as stored
      from collections where id = ${collection.id}`;
    expect({ counted: Number(row?.['document_count']), stored: Number(row?.['stored']) }).toEqual({
      counted: written,
      stored: written,
    });
    expect(await found(indexes, collection)).toBe(written);
    // What is there can be deleted.
    await indexes.delete(collection, 'd0');
    expect(await found(indexes, collection)).toBe(written - 1);
    // Nor is anybody shut out of it by a restart.
    await indexes.stop();
    const reopened = world.openIndexes({ settings: all });
    expect(await found(reopened, collection)).toBe(written - 1);
    await reopened.stop();
    await removeSnapshot(collection);
    expect(await found(world.openIndexes({ settings: all }), collection)).toBe(written - 1);
  });
});
