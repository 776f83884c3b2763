import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { administer, databases } from '#server/testing/databases.ts';
import { openTestRecord } from '#server/testing/open-record.ts';
import type { Database, RecordStore } from './client.ts';
import { sessions, users } from './schema/accounts.ts';
import { apiKeys } from './schema/api-keys.ts';
import { collections } from './schema/collections.ts';
import { members, projects, workspaces } from './schema/workspaces.ts';

describe.each(databases)('changes of what callers are known by, %s', (kind) => {
  let record: RecordStore;
  let url: string;
  let close: () => Promise<void>;
  let told: string[];
  beforeEach(async () => {
    ({ record, url, close } = await openTestRecord(kind));
    told = [];
    await record.write(fill);
    record.onChange((change) => told.push(`${change.kind}:${change.id}`));
  });
  afterEach(() => close());

  /** What a change tells by the time it is answered. */
  async function tellsOf(work: (db: Database) => Promise<unknown>): Promise<string[]> {
    told = [];
    await record.write(work);
    return told;
  }
  const byOthers = (text: string) => administer(url, (other) => other.unsafe(text));

  test('each is told before it is answered', async () => {
    const one = (db: Database) => ({
      key: (values: object) => db.update(apiKeys).set(values).where(eq(apiKeys.id, 1)),
      collection: (values: object) => db.update(collections).set(values).where(eq(collections.id, 1)),
    });
    expect(await tellsOf((db) => one(db).key({ isActive: false }))).toEqual(['key:1']);
    expect(await tellsOf((db) => one(db).key({ expiresAt: new Date() }))).toEqual(['key:1']);
    expect(await tellsOf((db) => one(db).key({ permissions: ['read'] }))).toEqual(['key:1']);
    expect(await tellsOf((db) => one(db).key({ collectionIds: [1] }))).toEqual(['key:1']);
    expect(await tellsOf((db) => one(db).key({ deletedAt: new Date() }))).toEqual(['key:1']);
    expect(await tellsOf((db) => one(db).key({ deletedAt: null }))).toEqual(['key:1']);
    expect(await tellsOf((db) => db.delete(apiKeys))).toEqual(['key:1']);
    expect(await tellsOf((db) => one(db).collection({ name: 'other' }))).toEqual(['project:1']);
    expect(await tellsOf((db) => one(db).collection({ isActive: false }))).toEqual(['project:1']);
    expect(await tellsOf((db) => one(db).collection({ deletedAt: new Date() }))).toEqual(['project:1']);
    expect(await tellsOf((db) => one(db).collection({ deletedAt: null }))).toEqual(['project:1']);
    expect(await tellsOf((db) => db.delete(collections))).toEqual(['project:1']);
    expect(await tellsOf((db) => db.insert(collections).values(films))).toEqual(['project:1']);
    expect(await tellsOf((db) => db.update(projects).set({ deletedAt: new Date() }))).toEqual(['project:1']);
    expect(await tellsOf((db) => db.update(workspaces).set({ deletedAt: new Date() }))).toEqual([
      'workspace:1',
    ]);
    expect(await tellsOf((db) => db.update(members).set({ role: 'viewer' }))).toEqual(['member:1']);
    expect(await tellsOf((db) => db.delete(members))).toEqual(['member:1']);
    expect(await tellsOf((db) => db.update(sessions).set({ expiresAt: new Date(0) }))).toEqual([
      'session:aa',
    ]);
    expect(await tellsOf((db) => db.delete(sessions))).toEqual(['session:aa']);
  });

  test('what follows from a deletion is told too', async () => {
    const all = ['key:1', 'member:1', 'project:1', 'workspace:1'];
    expect((await tellsOf((db) => db.delete(workspaces))).toSorted()).toEqual(all);
    expect(await tellsOf((db) => db.delete(users))).toEqual(['session:aa']);
  });

  test('what does not concern callers is not: documents written, uses noted, sessions renewed, things described', async () => {
    const quiet = await tellsOf(async (db) => {
      await db.update(collections).set({ version: 2, documentCount: 7, updatedAt: new Date() });
      await db.update(collections).set({ description: 'long' });
      await db.update(projects).set({ name: 'other' });
      await db.update(workspaces).set({ name: 'other' });
      await db.update(apiKeys).set({ lastUsedAt: new Date(), name: 'other' });
      await db.update(sessions).set({ expiresAt: sql`${sessions.expiresAt} + interval '1 day'` });
    });
    expect(quiet).toEqual([]);
  });

  test('what was rolled back is not told', async () => {
    const failing = record.write(async (db) => {
      await db.delete(apiKeys);
      throw new Error('no');
    });
    told = [];
    await expect(failing).rejects.toThrow('no');
    expect(told).toEqual([]);
  });

  test('very many changes are told as everything', async () => {
    await record.write((db) =>
      db.execute(sql`insert into sessions (id, user_id, expires_at)
        select md5(n::text) || md5(n::text), 1, now() + interval '1 day' from generate_series(1, 2000) n`),
    );
    const told = await tellsOf((db) => db.delete(sessions));
    expect(told.at(-1)).toBe('all:');
    expect(told.length).toBeLessThan(1_000);
  });

  test('a commit that nobody knows the outcome of is told', async () => {
    await byOthers(`
      create function lose() returns trigger language plpgsql as $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
      create constraint trigger lost after delete on api_keys deferrable initially deferred for each row execute function lose()`);
    told = [];
    await expect(record.write((db) => db.delete(apiKeys))).rejects.toThrow();
    expect(told).toEqual(['key:1']);
  });

  test('what others change is heard, and each change of our own once', async () => {
    await record.write((db) => db.update(apiKeys).set({ isActive: false }));
    await byOthers('update projects set deleted_at = now()');
    await expect.poll(() => told).toContain('project:1');
    expect(told).toEqual(['key:1', 'project:1']);
  });

  test('after the connection that hears of them was lost, everything may have changed', async () => {
    const [listener] = await byOthers(
      `select pid from pg_stat_activity where datname = current_database() and query like 'listen %'`,
    );
    await byOthers(`select pg_terminate_backend(${listener?.['pid']}, 60000)`);
    await expect.poll(() => told).toEqual(['unheard:']);
    await byOthers('update api_keys set is_active = false');
    await expect.poll(() => told).toEqual(['unheard:', 'key:1']);
  });
});

const films = { projectId: 1, name: 'films', dimension: 2, metric: 'cosine' } as const;

/** One of each, all with the id 1; the session is `aa`. */
async function fill(db: Database): Promise<void> {
  await db.insert(users).values({
    email: 'Ada@example.org',
    emailKey: 'ada@example.org',
    username: 'Ada',
    usernameKey: 'ada',
    passwordHash: '-',
  });
  await db.insert(sessions).values({ id: 'aa', userId: 1, expiresAt: new Date(Date.now() + 60_000) });
  await db.insert(workspaces).values({ name: 'W', slug: 'w' });
  await db.insert(members).values({ workspaceId: 1, userId: 1, role: 'owner' });
  await db.insert(projects).values({ workspaceId: 1, name: 'P', slug: 'p' });
  await db.insert(collections).values(films);
  await db.insert(apiKeys).values({
    projectId: 1,
    name: 'K',
    hash: new Uint8Array(32),
    ciphertext: new Uint8Array(),
    lastFour: '0000',
    permissions: ['read', 'write'],
  });
}
