import { sql } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { createLog } from '#server/log.ts';
import { administer, type FreshDatabase, freshDatabase } from '#server/testing/databases.ts';
import { poolOf } from '#server/testing/open-record.ts';
import type { RecordStore } from '../client.ts';
import { openRecord } from '../open-record.ts';
import { RecordNotOpened } from '../record-error.ts';
import { isLiving, onlyServer } from '../servers.ts';

/** Several servers share a database where a cluster has the indexes; what they do one at a time, they agree on in it. */
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function fresh(options?: { isEmpty: boolean }): Promise<FreshDatabase> {
  const database = await freshDatabase('bundled', options);
  cleanups.push(database.cleanup);
  return database;
}

/** Closed after the test, if it was not before. */
async function open({ settings }: FreshDatabase, engine: 'embedded' | 'opensearch'): Promise<RecordStore> {
  const openSearch = engine === 'opensearch' ? { nodes: [] } : null;
  const record = await openRecord({
    settings: { ...settings, storageReserveBytes: 0, openSearch },
    migrationsFolder: 'drizzle',
    log: createLog('silent'),
  });
  let closed: Promise<void> | null = null;
  const close = () => {
    closed ??= record.close();
    return closed;
  };
  cleanups.push(close);
  return { ...record, close };
}

async function openTwo(): Promise<{ url: string; one: RecordStore; two: RecordStore }> {
  const database = await fresh();
  const url = database.settings.databaseUrl ?? '';
  return { url, one: await open(database, 'opensearch'), two: await open(database, 'opensearch') };
}

async function isAlive(by: RecordStore, server: number): Promise<boolean> {
  const [row] = await poolOf(by).execute<{ is: boolean }>(sql`select ${isLiving(sql`${server}`)} as is`);
  return row?.is === true;
}

test('servers whose indexes are in a cluster share a database; one with its own index is refused, and refuses them', async () => {
  const database = await fresh();
  const one = await open(database, 'opensearch');
  const two = await open(database, 'opensearch');
  for (const record of [one, two]) await record.assertWritable();
  const refused = await open(database, 'embedded').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(RecordNotOpened);
  await one.close();
  await two.close();

  await open(database, 'embedded');
  await expect(open(database, 'opensearch')).rejects.toThrow('SEARCH_ENGINE=embedded uses this database');
});

test('several that start at once on an empty database make its tables once', async () => {
  const database = await fresh({ isEmpty: true });
  const opened = await Promise.all([1, 2, 3].map(() => open(database, 'opensearch')));
  for (const { sql: own } of opened) expect(await own`select id from users`).toEqual([]);
});

test('all of them hold one number under a name, or are told', async () => {
  const { one, two } = await openTwo();
  expect(await one.servers.agreesOn('secret', 7)).toBe(true);
  expect(await two.servers.agreesOn('secret', 7)).toBe(true);
  expect(await two.servers.agreesOn('other', 8)).toBe(true);
  expect(await one.servers.agreesOn('other', 2 ** 31 - 1)).toBe(false);
  await two.close();
  await expect.poll(() => one.servers.agreesOn('other', 2 ** 31 - 1)).toBe(true);
});

test('one of them does a job, and another one when that is gone', async () => {
  const { one, two } = await openTwo();
  expect(await Promise.all([1, 2, 3].map(() => one.servers.leads('purge')))).toEqual([true, true, true]);
  expect(await two.servers.leads('purge')).toBe(false);
  expect(await two.servers.leads('other')).toBe(true);
  expect(await one.servers.leads('purge')).toBe(true);
  await one.close();
  await expect.poll(() => two.servers.leads('purge')).toBe(true);
});

test('a server that has lost the database leads no more: another one may be at it', async () => {
  const { url, one, two } = await openTwo();
  expect(await one.servers.leads('purge')).toBe(true);
  await administer(
    url,
    (admin) => admin`
      select pg_terminate_backend(pid) from pg_locks
      where locktype = 'advisory' and objid = ${one.servers.own}::oid and database = (select oid from pg_database where datname = current_database())`,
  );
  await expect.poll(() => two.servers.leads('purge')).toBe(true);
  await expect
    .poll(() =>
      one.assertWritable().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  expect(await one.servers.leads('purge')).toBe(false);
});

test('tasks of one name run one at a time over all servers, also when one fails', async () => {
  const { one, two } = await openTwo();
  let running = 0;
  const most: number[] = [];
  const task = async () => {
    running += 1;
    most.push(running);
    await one.sql`select pg_sleep(0.01)`;
    running -= 1;
    throw new Error('planted');
  };
  const runs = [one, two, one, two].map(({ servers }) => servers.alone('index 1', task));
  const ended = await Promise.allSettled(runs);
  expect(ended.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
  expect(most).toEqual([1, 1, 1, 1]);
  let isOther = false;
  await one.servers.alone('index 1', () =>
    two.servers.alone('index 2', async () => {
      isOther = true;
      expect(await two.servers.isAtWork('index 1')).toBe(true);
    }),
  );
  expect(await two.servers.isAtWork('index 1')).toBe(false);
  expect(isOther).toBe(true);
});

test('tasks of one name run one at a time in an only server too, and one whose turn comes too late is not begun', async () => {
  const servers = onlyServer({ waitMs: 1 });
  const begun: string[] = [];
  let endFirst: () => void = () => undefined;
  const first = servers.alone('index 1', () => {
    begun.push('first');
    return new Promise<void>((resolve) => {
      endFirst = resolve;
    });
  });
  const run = (name: string, what: string) => servers.alone(name, async () => void begun.push(what));
  await expect(run('index 1', 'late')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await run('index 2', 'other');
  expect(await servers.isAtWork('index 1')).toBe(true);
  const next = run('index 1', 'next');
  endFirst();
  await Promise.all([first, next]);
  expect(begun).toEqual(['first', 'other', 'next']);
  await expect.poll(() => servers.isAtWork('index 1')).toBe(false);
});

test('each knows which others live', async () => {
  const { one, two } = await openTwo();
  expect(one.servers.own).not.toBe(two.servers.own);
  for (const by of [one, two])
    for (const { servers } of [one, two]) expect(await isAlive(by, servers.own)).toBe(true);
  await two.close();
  await expect.poll(() => isAlive(one, two.servers.own)).toBe(false);
  expect(await isAlive(one, one.servers.own)).toBe(true);
});
