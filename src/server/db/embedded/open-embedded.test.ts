import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { createLog } from '#server/log.ts';
import { freshDatabase } from '#server/testing/databases.ts';
import { poolOf } from '#server/testing/open-record.ts';
import { type OpenRecordOptions, openRecord } from '../open-record.ts';
import { RecordRefused, toRecordError } from '../record-error.ts';
import { users } from '../schema/accounts.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function open(options: Partial<OpenRecordOptions> = {}, reserveBytes = 0) {
  const database = await freshDatabase('embedded');
  cleanups.push(database.cleanup);
  const lines: string[] = [];
  const record = await openRecord({
    settings: { ...database.settings, storageReserveBytes: reserveBytes },
    migrationsFolder: 'drizzle',
    log: createLog('info', (line) => lines.push(line)),
    ...options,
  });
  cleanups.push(() => record.close());
  return { record: { ...record, db: poolOf(record) }, lines, dataDir: database.settings.dataDir };
}

const user = (name: string) => ({
  email: name,
  emailKey: name,
  username: name,
  usernameKey: name,
  passwordHash: '-',
});

test('a database that hangs is opened again: what was answered is there, what was under way is 503', async () => {
  const { record, lines } = await open({ watchdog: { beatMs: 200, beatsMissedMax: 10 } });
  await record.db.insert(users).values(user('answered'));
  const hanging = record.db.transaction(async (tx) => {
    await tx.insert(users).values(user('not answered'));
    await tx.execute(sql`do $$ begin loop end loop; end $$`);
  });
  const waiting = record.db.insert(users).values(user('behind it'));
  const [underWay, behind] = await Promise.allSettled([hanging, waiting]);
  expect(underWay.status).toBe('rejected');
  expect(underWay.status === 'rejected' && toRecordError(underWay.reason)).toMatchObject({
    code: 'UNAVAILABLE',
  });
  if (behind.status === 'rejected') expect(toRecordError(behind.reason)?.code).toBe('UNAVAILABLE');

  await expect.poll(() => record.assertWritable().then(() => 'up', String), { timeout: 60_000 }).toBe('up');
  const names = (await record.db.select().from(users)).map((row) => row.username);
  expect(names.filter((name) => name !== 'behind it')).toEqual(['answered']);
  if (behind.status === 'fulfilled') expect(names).toContain('behind it');
  await record.db.insert(users).values(user('afterwards'));
  await record.ping();
  expect(lines.join('\n')).toContain('does not answer');
  expect(lines.join('\n')).toContain('answers again');
});

test('while the database is away, writes are refused at once and a ping fails within its second', async () => {
  const { record } = await open({ watchdog: { beatMs: 300, beatsMissedMax: 10 } });
  const hanging = record.db.execute(sql`do $$ begin loop end loop; end $$`).catch(toRecordError);
  await expect(record.ping()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(await hanging).toMatchObject({ code: 'UNAVAILABLE' });
  await expect(record.assertWritable()).rejects.toMatchObject({ code: 'UNAVAILABLE', status: 503 });
});

test('below the reserve writes are refused naming storage, reads go on', async () => {
  let free = 2_000;
  let now = 0;
  const { record } = await open({ freeBytes: async () => free, clock: () => new Date(now) }, 1_000);
  await record.assertWritable();
  free = 999;
  now += 1_000;
  await expect(record.assertWritable()).rejects.toThrow('storage');
  expect(await record.db.$count(users)).toBe(0);
  free = 1_000;
  now += 1_000;
  await record.assertWritable();
});

test('says at the start that a power loss is not survived', async () => {
  const { lines } = await open();
  expect(lines.join('\n')).toContain('not a power loss');
});

test('files that are no database are refused in words', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'vectora-broken-'));
  cleanups.push(() => rm(dataDir, { recursive: true, force: true }));
  await mkdir(path.join(dataDir, 'record'));
  await writeFile(path.join(dataDir, 'record/PG_VERSION'), '9.1\n');
  const opening = openRecord({
    settings: { dataDir, databaseUrl: null, storageReserveBytes: 0 },
    migrationsFolder: 'drizzle',
    log: createLog('silent'),
  });
  await expect(opening).rejects.toThrow(RecordRefused);
  await expect(opening).rejects.toThrow(path.join(dataDir, 'record'));
});
