import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#server/log.ts';
import {
  type DatabaseKind,
  databases,
  type FreshDatabase,
  freshDatabase,
} from '#server/testing/databases.ts';
import { poolOf } from '#server/testing/open-record.ts';
import type { Database, RecordStore } from './client.ts';
import { type OpenRecordOptions, openRecord } from './open-record.ts';
import { RecordNotOpened, toRecordError } from './record-error.ts';
import { users } from './schema/accounts.ts';
import { collections, documents } from './schema/collections.ts';
import { projects, workspaces } from './schema/workspaces.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

type Kind = DatabaseKind | 'embedded';
const kinds: Kind[] = ['embedded', ...databases];

async function fresh(kind: Kind, options?: { isEmpty: boolean }): Promise<FreshDatabase> {
  const database = await freshDatabase(kind, options);
  cleanups.push(database.cleanup);
  return database;
}

type OpenRecord = RecordStore & { db: Database };

async function openOn(
  { settings }: FreshDatabase,
  options: Partial<OpenRecordOptions> = {},
): Promise<OpenRecord> {
  const record = await openRecord({
    settings: { ...settings, storageReserveBytes: 0 },
    migrationsFolder: 'drizzle',
    log: createLog('silent'),
    ...options,
  });
  let closed: Promise<void> | null = null;
  const close = () => {
    closed ??= record.close();
    return closed;
  };
  return { ...record, db: poolOf(record), close };
}

/** Closed after the test. */
async function open(database: FreshDatabase, options?: Partial<OpenRecordOptions>): Promise<OpenRecord> {
  const record = await openOn(database, options);
  cleanups.push(record.close);
  return record;
}

const ada = {
  email: 'Ada@example.org',
  emailKey: 'ada@example.org',
  username: 'Ada',
  usernameKey: 'ada',
  passwordHash: '-',
};

async function addCollection({ db }: { db: Database }) {
  const [workspace] = await db.insert(workspaces).values({ name: 'W', slug: 'w' }).returning();
  const [project] = await db
    .insert(projects)
    .values({ workspaceId: workspace?.id ?? 0, name: 'P', slug: 'p' })
    .returning();
  const [collection] = await db
    .insert(collections)
    .values({ projectId: project?.id ?? 0, name: 'films', dimension: 2, metric: 'cosine' })
    .returning();
  if (!collection) throw new Error('no row came back');
  return collection;
}

describe.each(kinds)('opening the record, %s', (kind) => {
  test('an empty database gets every table; opened again it keeps its rows', async () => {
    const database = await fresh(kind, { isEmpty: true });
    const first = await open(database);
    expect(first.mode).toBe(kind === 'embedded' ? 'embedded' : 'server');
    await first.ping();
    await first.assertWritable();
    const [user] = await first.db.insert(users).values(ada).returning();
    expect(user?.id).toBe(1);
    await first.close();

    const second = await open(database);
    expect(await second.db.select().from(users)).toEqual([user]);
    expect(user?.createdAt).toBeInstanceOf(Date);
  });

  test('an older record is migrated', async () => {
    const database = await fresh(kind);
    const { db, close } = await open(database);
    await db.insert(users).values(ada);
    await close();
    const newer = await migrationsWithOneMore('alter table users add column nickname text;');
    const record = await open(database, { migrationsFolder: newer });
    expect(await record.sql`select username, nickname from users`).toEqual([
      { username: 'Ada', nickname: null },
    ]);
  });

  test('a record written by a newer version is refused in plain words and left as it was', async () => {
    const database = await fresh(kind);
    const newer = await migrationsWithOneMore('create table later (id int);');
    const { db, close } = await open(database, { migrationsFolder: newer });
    await db.insert(users).values(ada);
    await close();
    const refused = await open(database).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RecordNotOpened);
    expect(String(refused)).toContain('written by a newer version of Vectora');
    const again = await open(database, { migrationsFolder: newer });
    expect(await again.db.$count(users)).toBe(1);
  });

  test('a second server on the same record is refused and the first goes on', async () => {
    const database = await fresh(kind);
    const first = await open(database);
    const refusal = kind === 'embedded' ? `process ${process.pid}` : 'Another Vectora server';
    const refused = await open(database).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RecordNotOpened);
    expect(String(refused)).toContain(refusal);
    await first.db.insert(users).values(ada);
    expect(await first.db.$count(users)).toBe(1);
  });

  test('a closed record answers UNAVAILABLE', async () => {
    const record = await open(await fresh(kind));
    await record.close();
    const failure = await record.db.select().from(users).catch(toRecordError);
    expect(failure).toMatchObject({ code: 'UNAVAILABLE', status: 503 });
    await expect(record.ping()).rejects.toThrow();
  });
});

/** What these say is not about opening, so they share one record a kind and empty it in between. */
describe.each(kinds)('an open record, %s', (kind) => {
  let database: FreshDatabase;
  let record: OpenRecord;
  beforeAll(async () => {
    database = await freshDatabase(kind);
    record = await openOn(database);
  });
  beforeEach(() => record.sql`truncate users, workspaces cascade`);
  afterAll(async () => {
    await record?.close();
    await database?.cleanup();
  });

  test('rows come back as they went in: bytes, lists, JSON, dates and large numbers', async () => {
    const { db } = record;
    const collection = await addCollection({ db });
    const vectors = new Uint8Array(new Float32Array([0.25, -1]).buffer);
    const row = {
      collectionId: collection.id,
      id: 'a/b%',
      version: 2 ** 52,
      writtenVersion: null,
      source: '{"id":"a/b%","text":"\\u2028 ü 𝒳"}',
      contentHash: new Uint8Array([0, 255, 10]),
      modelId: null,
      vectors,
      spans: [0, 0, 12],
    };
    await db.insert(documents).values(row);
    expect(await db.select().from(documents).where(eq(documents.id, 'a/b%'))).toEqual([row]);
    const metadata = { fields: [], note: 'x' };
    await db.update(collections).set({ metadata: metadata as never, updatedAt: new Date(1_700_000_000_000) });
    const [changed] = await db.select().from(collections);
    expect(changed).toMatchObject({ metadata, updatedAt: new Date(1_700_000_000_000), version: 0 });
    expect(await db.$count(documents)).toBe(1);
    const [raw] = await record.sql`select count(*) as count, max(version) as version from documents`;
    expect(raw).toEqual({ count: 1, version: 2 ** 52 });
  });

  test('a transaction that fails leaves nothing', async () => {
    const { db, write } = record;
    const failing = write(async (tx) => {
      await tx.insert(users).values(ada);
      await tx.insert(users).values(ada);
    });
    await expect(failing).rejects.toThrow();
    expect(await db.$count(users)).toBe(0);
    await db.insert(users).values(ada);
    expect(await db.$count(users)).toBe(1);
  });

  test('the pool cannot be asked inside a transaction, in any way, and goes on after it', async () => {
    const { sql: driver } = record;
    const asks: Record<string, (pool: Database) => Promise<unknown>> = {
      'a read': async (pool) => pool.select().from(users),
      'a write': async (pool) => pool.insert(users).values(ada),
      'a transaction': (pool) => pool.transaction(async () => undefined),
      'the driver': () => driver`select 1`,
      'another write': () => record.write(async () => undefined),
    };
    for (const [name, ask] of Object.entries(asks)) {
      const asking = record.write(async (tx) => {
        await tx.insert(users).values(ada);
        await ask(record.db);
      });
      await expect(asking, name).rejects.toSatisfy((error) => isAboutThePool(error));
      expect(await record.db.$count(users), name).toBe(0);
    }
    await record.write((tx) => tx.transaction((inner) => inner.insert(users).values(ada)));
    expect(await record.db.$count(users)).toBe(1);
  });

  test('a transaction that goes on cannot ask the pool after another one has ended', async () => {
    let goOn = () => {};
    const other = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const asking = record.write(async () => {
      await other;
      await record.db.$count(users);
    });
    await record.write(async (tx) => tx.insert(users).values(ada));
    goOn();
    await expect(asking).rejects.toSatisfy((error) => isAboutThePool(error));
    expect(await record.db.$count(users)).toBe(1);
  });

  test('what a transaction started and did not wait for may ask the pool once it is over', async () => {
    const { db, write } = record;
    let tellOver = () => {};
    const isOver = new Promise<void>((resolve) => {
      tellOver = resolve;
    });
    let later: Promise<number> | undefined;
    await write(async (tx) => {
      await tx.insert(users).values(ada);
      later = isOver.then(() => db.$count(users));
    });
    tellOver();
    expect(await later).toBe(1);
  });

  test('deleting a workspace takes all below it', async () => {
    const collection = await addCollection(record);
    await record.db.insert(documents).values({
      collectionId: collection.id,
      id: '1',
      version: 1,
      source: '{"id":"1"}',
      contentHash: new Uint8Array(32),
    });
    await record.db.delete(workspaces);
    expect(await record.db.$count(documents)).toBe(0);
  });

  test('a collection name is unique in its project until it is deleted', async () => {
    const { db } = record;
    const { id: _, ...first } = await addCollection({ db });
    await expect(db.insert(collections).values(first)).rejects.toThrow();
    await db.update(collections).set({ deletedAt: new Date() });
    await db.insert(collections).values(first);
    expect(await db.$count(collections)).toBe(2);
  });

  test('a wrong statement is no matter of availability', async () => {
    const failure: unknown = await record.db
      .execute(sql`select nothing from nowhere`)
      .catch((error) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(toRecordError(failure)).toBeNull();
  });
});

/** Drizzle wraps what the driver throws. */
function isAboutThePool(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.message.includes('inside a transaction') || isAboutThePool(error.cause);
}

/** The repository's migrations and a later one that this version does not know. */
async function migrationsWithOneMore(statement: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vectora-migrations-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  await cp('drizzle', folder, { recursive: true });
  const journalFile = path.join(folder, 'meta/_journal.json');
  const journal = JSON.parse(await readFile(journalFile, 'utf8'));
  const last = journal.entries.at(-1);
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1000, tag: '9999_later' });
  await writeFile(journalFile, JSON.stringify(journal));
  await writeFile(path.join(folder, '9999_later.sql'), statement);
  expect(await readdir(folder)).toContain('9999_later.sql');
  return folder;
}
