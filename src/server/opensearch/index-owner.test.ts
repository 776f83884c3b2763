import { randomBytes } from 'node:crypto';
import type postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, createTenant, must } from '#server/testing/callers.ts';
import { administer, type FreshDatabase, freshDatabase } from '#server/testing/databases.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { describeWithCluster, dropFromCluster } from '#server/testing/search-cluster.ts';
import type { Verified } from '#shared/collections.ts';
import type { SearchAnswer } from '#shared/search.ts';
import { claimIndexes, disownIndexes, IndexesOfAnother } from './index-owner.ts';
import { readName } from './index-states.ts';

/** A database with all that another one has, to which nobody may be connected. */
async function copyOf({ settings }: FreshDatabase): Promise<FreshDatabase> {
  const url = new URL(settings.databaseUrl ?? '');
  const from = url.pathname.slice(1);
  const name = `${from}_${randomBytes(4).toString('hex')}`;
  const admin = new URL(url);
  admin.pathname = '/postgres';
  await administer(admin.href, (sql) => sql`create database ${sql(name)} template ${sql(from)}`);
  url.pathname = `/${name}`;
  return {
    settings: { ...settings, databaseUrl: url.href },
    cleanup: () =>
      administer(admin.href, (sql) => sql`drop database ${sql(name)} with (force)`).then(() => undefined),
  };
}

const onItsOwn = <T>({ settings }: FreshDatabase, task: (sql: postgres.Sql) => Promise<T>): Promise<T> =>
  administer(settings.databaseUrl ?? '', task);

const claim = (database: FreshDatabase, given?: 'keep' | 'new') =>
  onItsOwn(database, async (sql) => {
    const claimed = await claimIndexes(sql, given);
    return { claimed, ...(await standingIn(sql)) };
  });

async function standingIn(sql: postgres.Sql) {
  const [row] =
    await sql`select mark, (select count(*)::int from search_indexes) as indexes from index_owner`;
  return { mark: String(row?.['mark']), indexes: Number(row?.['indexes']) };
}

/** As if a collection had one. */
const addIndex = (database: FreshDatabase) =>
  onItsOwn(database, async (sql) => {
    await sql`set session_replication_role = replica`;
    await sql`insert into search_indexes (collection_id, generation, analyzer) values (1, 5, 'en')`;
  });

test('a copy of a database, and a copy of that, have no indexes and marks of their own, or go on with those of the other where that is said', async () => {
  const first = await freshDatabase();
  const own = await claim(first);
  expect(own).toMatchObject({ claimed: 'own', mark: expect.stringMatching(/^c[0-9a-f]{10}-$/) });
  await addIndex(first);
  expect(await claim(first, 'new')).toEqual({ ...own, indexes: 1 });
  const second = await copyOf(first);
  const third = await copyOf(second);
  await expect(claim(second)).rejects.toThrow(IndexesOfAnother);
  expect(await onItsOwn(second, standingIn)).toEqual({ mark: own.mark, indexes: 1 });
  const further = await claim(second, 'new');
  expect(further).toMatchObject({ claimed: 'new', indexes: 0 });
  expect(await claim(second)).toEqual({ ...further, claimed: 'own' });
  expect(await claim(third, 'keep')).toEqual({ ...own, claimed: 'kept', indexes: 1 });
  expect(await claim(third)).toEqual({ ...own, indexes: 1 });
  await onItsOwn(first, disownIndexes);
  const anew = await claim(first);
  expect(anew).toMatchObject({ claimed: 'own', indexes: 0 });
  expect(new Set([own.mark, further.mark, anew.mark]).size).toBe(3);
  for (const each of [third, second, first]) await each.cleanup();
});

test('a database that a dump of its own was restored over has none of the indexes', async () => {
  const database = await freshDatabase();
  const own = await claim(database);
  await onItsOwn(database, async (sql) => {
    await sql`alter table index_owner rename to former`;
    await sql`create table index_owner (like former including all)`;
    await sql`insert into index_owner select * from former`;
    await sql`drop table former`;
  });
  await expect(claim(database)).rejects.toThrow('OPENSEARCH_INDEXES');
  expect((await claim(database, 'new')).mark).not.toBe(own.mark);
  await database.cleanup();
});

test('indexes of a release that had no owners keep their names', async () => {
  const database = await freshDatabase();
  await addIndex(database);
  expect(await claim(database)).toEqual({ claimed: 'own', mark: '', indexes: 1 });
  await database.cleanup();
});

test('servers that start together on a copy agree', async () => {
  const first = await freshDatabase();
  await claim(first);
  const copy = await copyOf(first);
  const claims = await Promise.all([1, 2, 3, 4].map(() => claim(copy, 'new')));
  expect(claims.map(({ claimed }) => claimed).toSorted()).toEqual(['new', 'own', 'own', 'own']);
  expect(new Set(claims.map(({ mark }) => mark)).size).toBe(1);
  for (const each of [copy, first]) await each.cleanup();
});

test('an account that may not ask which system it is on tells databases by their numbers, and is told from others once it may', async () => {
  const database = await freshDatabase();
  const { databaseUrl } = database.settings;
  const url = databaseUrl ?? '';
  const role = `lesser_${randomBytes(4).toString('hex')}`;
  await administer(url, async (sql) => {
    await sql`create role ${sql(role)} login password 'secret'`;
    await sql`grant all on all tables in schema public to ${sql(role)}`;
    await sql`revoke execute on function pg_control_system() from public`;
  });
  const lesser = new URL(url);
  lesser.username = role;
  lesser.password = 'secret';
  const asLesser = () => administer(lesser.href, (sql) => claimIndexes(sql, undefined));
  const systemIn = async (sql: postgres.Sql) => (await sql`select system_identifier from index_owner`)[0];
  expect(await asLesser()).toBe('own');
  expect(await onItsOwn(database, systemIn)).toEqual({ system_identifier: null });
  expect((await claim(database)).claimed).toBe('own');
  expect(await onItsOwn(database, systemIn)).toEqual({ system_identifier: expect.stringMatching(/^\d+$/) });
  await onItsOwn(database, (sql) => sql`update index_owner set system_identifier = '7'`);
  expect(await asLesser()).toBe('own');
  await expect(claim(database)).rejects.toThrow(IndexesOfAnother);
  await database.cleanup();
  await administer(new URL('/postgres', url).href, (admin) => admin`drop role ${admin(role)}`);
});

describeWithCluster('a database and a copy of it on one cluster', (nodes) => {
  let original: FreshDatabase;
  let copy: FreshDatabase;
  const kits: Kit[] = [];

  beforeAll(async () => {
    original = await freshDatabase();
  });
  afterAll(async () => {
    for (const kit of kits) await dropFromCluster(nodes, kit.deps.record);
    for (const kit of kits) await kit.close();
    await copy.cleanup();
    await original.cleanup();
  });

  const open = async ({ settings }: FreshDatabase, indexes?: 'new') => {
    const kit = await startKit({ settings: { ...settings, openSearch: { nodes, indexes } } });
    kits.push(kit);
    return kit;
  };

  test('neither finds, changes or deletes what the other has in its indexes', async () => {
    const before = await open(original);
    const { key } = await createTenant(before, { name: 'films' });
    const as = { key: key.key };
    const documents = '/api/collections/films/documents';
    const write = (by: Kit, id: string) =>
      must(call(by, { method: 'POST', path: documents, body: { id, title: `torch ${id}` }, as }));
    const found = async (by: Kit) => {
      const path = '/api/collections/films/search?query=torch';
      const { hits } = await must(call<SearchAnswer>(by, { method: 'GET', path, as }));
      return hits.map(({ id }) => id).toSorted();
    };
    const verify = (by: Kit) =>
      must(call<Verified>(by, { method: 'POST', path: '/api/collections/films/verify', as }));
    await write(before, 'a');
    await write(before, 'b');
    expect(await found(before)).toEqual(['a', 'b']);
    kits.pop();
    await before.close();
    copy = await copyOf(original);

    await expect(open(copy)).rejects.toThrow(IndexesOfAnother);
    const [own, other] = [await open(original), await open(copy, 'new')];
    await write(other, 'theirs');
    await must(call(other, { method: 'DELETE', path: `${documents}/a`, as }));
    await write(own, 'mine');
    expect(await found(own)).toEqual(['a', 'b', 'mine']);
    expect(await found(other)).toEqual(['b', 'theirs']);
    const none = { missing: [], ghosts: [], stale: [] };
    expect(await verify(own)).toMatchObject({ ...none, indexed: 3 });
    expect(await verify(other)).toMatchObject({ ...none, indexed: 2 });
    const [row] = await own.deps.record.sql`select id from collections`;
    const name = await readName(own.deps.record.sql, Number(row?.['id']));
    await dropFromCluster(nodes, other.deps.record);
    const left = await fetch(`${nodes[0]}/${name}-*/_alias`);
    expect(Object.keys((await left.json()) as object)).toHaveLength(1);
    expect(await found(own)).toEqual(['a', 'b', 'mine']);
  });
});
