import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Indexes, WritableCollection } from '#server/indexes/indexes.ts';
import { databases } from '#server/testing/databases.ts';
import {
  collect,
  exported,
  type IndexesWorld,
  openIndexesWorld,
  parameters,
  rowsOf,
  shownHits,
} from '#server/testing/open-indexes.ts';
import { watchedHost } from '#server/testing/watched-host.ts';

/** Postgres refuses what concerns the planted id, at a moment of the test's choice. */
async function plantRefusal({ record: { sql } }: IndexesWorld): Promise<void> {
  await sql.unsafe(`create function refuse_planted() returns trigger language plpgsql as $$ begin
    if coalesce(new.id, old.id) = 'planted' then raise 'not today'; end if;
    return coalesce(new, old);
  end $$`);
}

describe.each(databases)('changes by a filter, on the %s database', (kind) => {
  let world: IndexesWorld;
  beforeAll(async () => {
    world = await openIndexesWorld(kind);
    await plantRefusal(world);
  });
  afterAll(() => world.close());

  const importAll = (indexes: Indexes, collection: WritableCollection, values: unknown[]) =>
    collect(indexes.import(collection, { action: 'upsert', rows: rowsOf(values) }));
  const countOf = async ({ id }: WritableCollection) => {
    const [row] = await world.record
      .sql`select document_count, document_bytes, (select coalesce(sum(octet_length(source)), 0) from documents where collection_id = collections.id) as bytes
        from collections where id = ${id}`;
    expect(Number(row?.['document_bytes'])).toBe(Number(row?.['bytes']));
    return Number(row?.['document_count']);
  };
  const refusing = async <T>(when: 'update' | 'delete', task: () => Promise<T>) => {
    const { sql } = world.record;
    await sql.unsafe(
      `create trigger refuse before ${when} on documents for each row execute function refuse_planted()`,
    );
    try {
      return await task();
    } finally {
      await sql`drop trigger refuse on documents`;
    }
  };
  /** The index, and one that is made anew from the record, have the same. */
  const documentsOf = async (indexes: Indexes, collection: WritableCollection) => {
    const there = await exported(indexes, collection);
    expect(await exported(world.openIndexes(), collection)).toEqual(there);
    return there;
  };

  it('merges a large change into no more at once than can be held together', async () => {
    const collection = await world.newCollection();
    const indexes = world.openIndexes();
    const values = Array.from({ length: 30 }, (_, i) => ({ id: `d${i}`, kind: 'same' }));
    await importAll(indexes, collection, values);
    let furtherSets = 0;
    const change = {
      filterBy: 'kind:same',
      assertAllowed: async () => {
        furtherSets += 1;
      },
    };
    const large = { blob: 'x'.repeat(1024 * 1024) };
    expect(await indexes.mergeByFilter(collection, change, large)).toBe(30);
    // 24 MB in each.
    expect(furtherSets).toBe(1);
    expect(await countOf(collection)).toBe(30);
  });

  it.each([1, 2, 3, 7, Number.POSITIVE_INFINITY])(
    'merges into each that passes, once, %d at a time',
    async (idsAtOnce) => {
      const collection = await world.newCollection();
      const indexes = world.openIndexes({ idsAtOnce });
      const values = Array.from({ length: 7 }, (_, i) => ({
        id: `d${i}`,
        kind: i === 6 ? 'other' : 'same',
        price: i,
        tags: ['old', `t${i}`],
        author: { name: `Ann ${i}`, born: 1900 + i },
      }));
      await importAll(indexes, collection, values);
      const change = { kind: 'changed', tags: ['new'], author: { name: 'Bo' } };
      expect(await indexes.mergeByFilter(collection, { filterBy: 'kind:same' }, change)).toBe(6);
      expect(await documentsOf(indexes, collection)).toEqual(
        values.map((value) =>
          value.kind === 'other' ? value : { ...value, ...change, author: { ...value.author, name: 'Bo' } },
        ),
      );
      // What passes no more is found no more.
      expect(await indexes.mergeByFilter(collection, { filterBy: 'kind:same' }, change)).toBe(0);
      expect(await countOf(collection)).toBe(7);
    },
  );

  it('embeds the texts that changed and keeps the vectors of the others', async () => {
    let embedded = 0;
    const { embedder } = world;
    const counting = {
      ...embedder,
      embedDocuments: (...[asked, signal]: Parameters<typeof embedder.embedDocuments>) => {
        embedded += asked.texts.length;
        return embedder.embedDocuments(asked, signal);
      },
    };
    const indexes = world.openIndexes({ embedder: counting });
    const collection = await world.newCollection();
    await importAll(indexes, collection, [
      { id: 'a', title: 'A quiet garden in the rain', year: 1 },
      { id: 'b', title: 'Engines of the deep sea', year: 2 },
    ]);
    embedded = 0;
    await indexes.mergeByFilter(collection, { filterBy: 'year:>0' }, { seen: true });
    expect(embedded).toBe(0);
    const search = parameters({ query: 'flowers and trees', mode: 'vector', k: 1 });
    const nearest = async () => shownHits(await indexes.search(collection, search)).map(({ id }) => id);
    expect(await nearest()).toEqual(['a']);
    await indexes.mergeByFilter(collection, { filterBy: 'year:2' }, { title: 'Flowers and trees' });
    expect(embedded).toBe(1);
    expect(await nearest()).toEqual(['b']);
  });

  it('changes all of a set or none of it, whatever fails on the way', async () => {
    const collection = await world.newCollection();
    const indexes = world.openIndexes();
    const ids = [...Array.from({ length: 299 }, (_, i) => `d${i}`), 'planted'];
    await importAll(
      indexes,
      collection,
      ids.map((id) => ({ id, n: 1 })),
    );
    const before = await documentsOf(indexes, collection);
    const all = { filterBy: 'n:1' };
    const merge = () => indexes.mergeByFilter(collection, all, { n: 2 });
    await expect(refusing('update', merge)).rejects.toThrow();
    expect(await documentsOf(indexes, collection)).toEqual(before);
    expect(await merge()).toBe(300);
    expect((await documentsOf(indexes, collection)).every(({ n }) => n === 2)).toBe(true);
  });

  it('deletes all of a set or none of it, also where a set is several statements', async () => {
    const collection = await world.newCollection();
    const indexes = world.openIndexes();
    const ids = [...Array.from({ length: 4_099 }, (_, i) => `d${i}`), 'planted'];
    await importAll(
      indexes,
      collection,
      ids.map((id) => ({ id, n: 1, embedding: [1, ...new Array(383).fill(0)] })),
    );
    const remove = () => indexes.deleteByFilter(collection, { filterBy: 'n:1' });
    await expect(refusing('delete', remove)).rejects.toThrow();
    expect([await countOf(collection), (await exported(indexes, collection)).length]).toEqual([4_100, 4_100]);
    expect(await remove()).toBe(4_100);
    expect([await countOf(collection), (await exported(indexes, collection)).length]).toEqual([0, 0]);
  });

  it('says which document is at fault, and what was changed before it', async () => {
    const fields = [{ name: 'size', type: 'number' as const, required: false }];
    const collection = await world.newCollection({ metadata: { fields } });
    const indexes = world.openIndexes({ idsAtOnce: 2 });
    const text = 'x'.repeat(4 * 1024 * 1024 - 100);
    await importAll(indexes, collection, [{ id: 'a' }, { id: 'b' }, { id: 'c', text }, { id: 'd' }]);
    const merge = (change: Record<string, unknown>) =>
      indexes.mergeByFilter(collection, { filterBy: 'id:[a, b, c, d]' }, change);
    await expect(merge({ size: 'large' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'The document "a" cannot be changed so: size: must be a number, or a list of these',
    });
    await expect(merge({ note: 'y'.repeat(200) })).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message: expect.stringMatching(
        /^The document "c" cannot .*\. 2 documents before it are changed; the rest is not$/,
      ),
    });
    const changed = (await documentsOf(indexes, collection)).map(({ note }) => note !== undefined);
    expect(changed).toEqual([true, true, false, false]);
    await expect(merge({ id: 'e' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(indexes.mergeByFilter(collection, { filterBy: ' ' }, {})).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  it('asks before each further set whether it may go on', async () => {
    const collection = await world.newCollection();
    const indexes = world.openIndexes({ idsAtOnce: 2 });
    await importAll(
      indexes,
      collection,
      ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, n: 1 })),
    );
    const told: string[] = [];
    const change = {
      filterBy: 'n:1',
      before: async () => void told.push('before'),
      assertAllowed: async () => {
        told.push('asked');
        if (told.length > 2) throw new Error('shut out');
      },
    };
    await expect(indexes.mergeByFilter(collection, change, { n: 2 })).rejects.toThrow('shut out');
    expect(told).toEqual(['before', 'asked', 'asked']);
    expect((await exported(indexes, collection)).map(({ n }) => n)).toEqual([2, 2, 2, 2, 1]);
  });

  it('looks for no more documents once its caller has gone, and leaves the turn to others', async () => {
    const collection = await world.newCollection();
    const caller = new AbortController();
    const heard: boolean[] = [];
    const { host, answered } = watchedHost((call, _, signal) => {
      if (call !== 'ids') return;
      caller.abort(new Error('gone'));
      heard.push(signal?.aborted ?? false);
    });
    const indexes = world.openIndexes({ host });
    await importAll(indexes, collection, [{ id: 'a', n: 1 }]);
    const merging = indexes.mergeByFilter(collection, { filterBy: 'n:1' }, { n: 2 }, caller.signal);
    await expect(merging).rejects.toThrow('gone');
    expect(heard).toEqual([true]);
    expect(answered).not.toContain('ids');
    await importAll(indexes, collection, [{ id: 'b', n: 3 }]);
    expect((await documentsOf(indexes, collection)).map(({ n }) => n)).toEqual([1, 3]);
  });

  it('exports the fields that are asked for, in pages of few bytes as at once', async () => {
    const collection = await world.newCollection();
    const values = Array.from({ length: 30 }, (_, i) => ({
      id: String(i).padStart(2, '0'),
      title: `Title ${i}`,
      author: { name: 'Ann', born: 1900 },
    }));
    await importAll(world.openIndexes(), collection, values);
    const ask = async (given: { includeFields?: string[]; excludeFields?: string[]; idsAtOnce?: number }) => {
      const { includeFields, excludeFields, ...options } = given;
      const indexes = world.openIndexes(options);
      const asked = { filterBy: 'id:[03, 17]', includeFields, excludeFields };
      return Buffer.concat(await collect(indexes.export(collection, asked))).toString();
    };
    for (const idsAtOnce of [1, 2, 50]) {
      expect(await ask({ includeFields: ['author.name'], idsAtOnce })).toBe(
        '{"author":{"name":"Ann"},"id":"03"}\n{"author":{"name":"Ann"},"id":"17"}\n',
      );
    }
    expect(await ask({ excludeFields: ['author'] })).toBe(
      '{"id":"03","title":"Title 3"}\n{"id":"17","title":"Title 17"}\n',
    );
  });
});
