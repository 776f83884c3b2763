import { afterAll, beforeAll, expect, test } from 'vitest';
import { administer } from '#server/testing/databases.ts';
import {
  type IndexesWorld,
  openIndexesWorld,
  parameters,
  shownHits,
  withRegaining,
} from '#server/testing/open-indexes.ts';
import type { Indexes, WritableCollection } from '../indexes.ts';

/** What an index answers when the record goes away before it was compared with it. */
let world: IndexesWorld;
beforeAll(async () => {
  world = await openIndexesWorld('bundled');
});
afterAll(() => world.close());

const upsert = (indexes: Indexes, collection: WritableCollection, id: string) =>
  indexes.write(collection, { action: 'upsert', document: { id, title: 'x' } });
const idsFound = async (indexes: Indexes, collection: WritableCollection) =>
  shownHits(await indexes.search(collection, parameters({ query: '*' }))).map(({ id }) => id);

/** A statement of another server, which this one is not told of. */
const elsewhere = (collection: WritableCollection, change: 'put' | 'delete', id: string) => world.record.sql`
  with bump as (
    update collections set version = version + 1, document_count = document_count + ${change === 'put' ? 1 : -1}
    where id = ${collection.id} returning version
  ), gone as (
    delete from documents where ${change} = 'delete' and collection_id = ${collection.id} and id = ${id}
  ), noted as (
    insert into deletions (collection_id, id, version)
    select ${collection.id}, ${id}, version from bump where ${change} = 'delete'
  )
  insert into documents (collection_id, id, version, source, content_hash)
  select ${collection.id}, ${id}, version, ${JSON.stringify({ id, title: 'x' })}, decode('00', 'hex')
  from bump where ${change} = 'put'`;

/** Every connection that asks this table for something is lost with its question, until the action has ended. */
async function withTableAway(table: 'collections' | 'documents', action: () => Promise<void>): Promise<void> {
  await administer(world.url, (locking) =>
    locking.begin(async (sql) => {
      await sql`lock table ${sql(table)} in access exclusive mode`;
      let isOver = false;
      const losing = administer(world.url, async (other) => {
        while (!isOver) {
          await other`
            select pg_terminate_backend(waiting.pid) from pg_locks waiting
            where not waiting.granted and waiting.relation = ${table}::regclass
              and waiting.database = (select oid from pg_database where datname = current_database())`;
        }
      });
      try {
        await action();
      } finally {
        isOver = true;
        await losing;
      }
    }),
  );
}

test('answers on with the record away when it only may lack what was never answered', async () => {
  const indexes = world.openIndexes();
  const collection = await world.newCollection();
  await upsert(indexes, collection, 'a');
  await withTableAway('collections', async () => {
    await expect(upsert(indexes, collection, 'b')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await idsFound(indexes, collection)).toEqual(['a']);
  });
  expect(await idsFound(indexes, collection)).toEqual(['a']);
});

test('compares at once when it was doubted again while it answered with the record away', async () => {
  const { record, regain } = withRegaining(world.record);
  const indexes = world.openIndexes({ record });
  const collection = await world.newCollection();
  await upsert(indexes, collection, 'a');
  await elsewhere(collection, 'put', 'b');
  regain();
  await withTableAway('collections', async () => {
    expect(await idsFound(indexes, collection)).toEqual(['a']);
  });
  regain();
  expect(await idsFound(indexes, collection)).toEqual(['a', 'b']);
});

test('with the record away does not answer without a write that was answered behind one it was not told of', async () => {
  const indexes = world.openIndexes();
  const collection = await world.newCollection();
  await upsert(indexes, collection, 'a');
  await elsewhere(collection, 'put', 'b');
  await upsert(indexes, collection, 'c');
  await withTableAway('collections', async () => {
    for (let i = 0; i < 2; i += 1) {
      await expect(idsFound(indexes, collection)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    }
    await expect(upsert(indexes, collection, 'd')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
  expect(await idsFound(indexes, collection)).toEqual(['a', 'b', 'c']);
});

test('does not answer what a comparison left half done whose connection was lost between deletions and documents', async () => {
  const { record, regain } = withRegaining(world.record);
  const indexes = world.openIndexes({ record });
  const collection = await world.newCollection();
  await upsert(indexes, collection, 'a');
  await elsewhere(collection, 'delete', 'a');
  await elsewhere(collection, 'put', 'a');
  regain();
  await withTableAway('documents', async () => {
    await expect(idsFound(indexes, collection)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
  expect(await idsFound(indexes, collection)).toEqual(['a']);
});
