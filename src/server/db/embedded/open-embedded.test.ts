import {
  access,
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { AppError } from '#server/errors.ts';
import { createLog } from '#server/log.ts';
import { administer, freshDatabase } from '#server/testing/databases.ts';
import { socketFolderOf } from '#server/testing/kill/postmasters.ts';
import { poolOf } from '#server/testing/open-record.ts';
import { type OpenRecordOptions, openRecord } from '../open-record.ts';
import { RecordNotOpened, toRecordError } from '../record-error.ts';
import { users } from '../schema/accounts.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Opening extends Partial<OpenRecordOptions> {
  storageReserveBytes?: number;
  /** Not as a first start leaves it. */
  isEmpty?: boolean;
  prepare?(dataDir: string): Promise<void>;
}

async function open({ storageReserveBytes = 0, isEmpty = false, prepare, ...options }: Opening = {}) {
  const database = await freshDatabase('embedded', { isEmpty });
  cleanups.push(database.cleanup);
  const lines: string[] = [];
  const { dataDir } = database.settings;
  await prepare?.(dataDir);
  const record = await openRecord({
    settings: { ...database.settings, storageReserveBytes },
    migrationsFolder: 'drizzle',
    log: createLog('info', (line) => lines.push(line)),
    ...options,
  });
  cleanups.push(() => record.close());
  const postmasterPid = async () =>
    Number.parseInt(await readFile(path.join(dataDir, 'postgres/data/postmaster.pid'), 'utf8'), 10);
  return { record: { ...record, db: poolOf(record) }, lines, dataDir, postmasterPid };
}

const user = (name: string) => ({
  email: name,
  emailKey: name,
  username: name,
  usernameKey: name,
  passwordHash: '-',
});

const outcome = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'done',
    (error: unknown) => (error instanceof AppError ? error : toRecordError(error))?.code ?? String(error),
  );

test('Postgres killed: started again, 503 meanwhile, and what was answered is there', async () => {
  const { record, lines, dataDir, postmasterPid } = await open();
  await record.db.insert(users).values(user('answered'));
  const first = await postmasterPid();
  // Without its settings it cannot start again before all has been looked at.
  const settings = path.join(dataDir, 'postgres/data/postgresql.conf');
  await rename(settings, `${settings}.away`);
  process.kill(first, 'SIGKILL');
  await expect.poll(() => outcome(record.assertWritable())).toBe('UNAVAILABLE');
  expect(await outcome(Promise.resolve(record.db.select().from(users)))).toBe('UNAVAILABLE');
  await rename(`${settings}.away`, settings);

  await expect.poll(() => outcome(record.assertWritable())).toBe('done');
  expect((await record.db.select().from(users)).map((row) => row.username)).toEqual(['answered']);
  await record.db.insert(users).values(user('afterwards'));
  await record.ping();
  expect(await postmasterPid()).not.toBe(first);
  expect(lines.join('\n')).toContain('has ended and is started again');
  expect(lines.join('\n')).toContain('runs again');
});

test('where Node knows no Unix sockets: loopback alone, and a password that only this account can read', async () => {
  const { record, dataDir } = await open({ machine: { hasSockets: false }, isEmpty: true });
  await record.write((db) => db.insert(users).values(user('written')));
  const file = path.join(dataDir, 'postgres/password');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const [row] = await record.sql`
    select current_setting('port')::int as port, current_setting('listen_addresses') as addresses,
      current_setting('unix_socket_directories') as sockets`;
  expect(row).toMatchObject({ addresses: '127.0.0.1', sockets: '' });
  const connect = async (password: string) => {
    const url = `postgres://postgres:${password}@127.0.0.1:${row?.['port']}/postgres`;
    return await administer(url, (sql) => sql`select 1 as n`).catch((error: Error) => error.message);
  };
  expect(await connect(await readFile(file, 'utf8'))).toEqual([{ n: 1 }]);
  expect(await connect('guessed')).toContain('password authentication failed');
});

test('nobody else can read or write its files, also below a folder that others can enter', async () => {
  const { record, dataDir } = await open({ isEmpty: true, prepare: (folder) => chmod(folder, 0o755) });
  await record.write((db) => db.insert(users).values(user('written')));
  await record.close();
  cleanups.pop();
  const cluster = path.join(dataDir, 'postgres/data');
  const entries = await readdir(cluster, { recursive: true });
  const modes = await Promise.all(
    ['', ...entries].map(async (name) => {
      const found = await lstat(path.join(cluster, name));
      return { name, mode: found.mode & 0o777, isFolder: found.isDirectory() };
    }),
  );
  expect(modes.filter(({ mode, isFolder }) => mode !== (isFolder ? 0o700 : 0o600))).toEqual([]);
  expect(modes.map(({ name }) => name)).toEqual(expect.arrayContaining(['PG_VERSION', 'base', 'pg_wal']));
  for (const folder of ['postgres', 'lock']) {
    const found = await lstat(path.join(dataDir, folder)).catch(() => null);
    if (found) expect(found.mode & 0o777, folder).toBe(0o700);
  }
});

test('what cannot be closed is told, and keeps nothing else from being closed', async () => {
  const { record, dataDir, postmasterPid } = await open();
  const pid = await postmasterPid();
  const socketFolder = await socketFolderOf(dataDir);
  await rm(path.join(dataDir, 'lock'), { recursive: true });
  await expect(record.close()).rejects.toThrow('ENOENT');
  await expect(access(socketFolder)).rejects.toThrow('ENOENT');
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

test('below the reserve writes are refused naming storage, reads go on', async () => {
  const { record } = await open({ storageReserveBytes: Number.MAX_SAFE_INTEGER });
  await expect(record.assertWritable()).rejects.toThrow('storage');
  await record.assertWritable({ mayUseReserve: true });
  expect(await record.db.$count(users)).toBe(0);
});

async function openOn(
  prepare: (dataDir: string) => Promise<void>,
): Promise<{ dataDir: string; refusal: unknown }> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'vectora-broken-'));
  cleanups.push(() => rm(dataDir, { recursive: true, force: true }));
  await prepare(dataDir);
  const opening = openRecord({
    settings: { dataDir, databaseUrl: null, storageReserveBytes: 0 },
    migrationsFolder: 'drizzle',
    log: createLog('silent'),
  });
  return { dataDir, refusal: await opening.catch((error: unknown) => error) };
}

test('a data directory of the former embedded database is recognised and left as it is', async () => {
  const { dataDir, refusal } = await openOn(async (folder) => {
    await mkdir(path.join(folder, 'record'));
    await writeFile(path.join(folder, 'record/PG_VERSION'), '18\n');
  });
  expect(refusal).toBeInstanceOf(RecordNotOpened);
  expect(String(refusal)).toContain('written by an older version of Vectora');
  expect(String(refusal)).toContain(path.join(dataDir, 'record'));
  await expect(access(path.join(dataDir, 'postgres'))).rejects.toThrow();
});

test('a cluster of another major version of Postgres is refused in words', async () => {
  const { refusal } = await openOn(async (folder) => {
    await mkdir(path.join(folder, 'postgres/data'), { recursive: true });
    await writeFile(path.join(folder, 'postgres/data/PG_VERSION'), '17\n');
  });
  expect(refusal).toBeInstanceOf(RecordNotOpened);
  expect(String(refusal)).toContain('was written by Postgres 17');
});

test('a damaged cluster is refused with what Postgres says of it', async () => {
  const { record, dataDir } = await open();
  await record.close();
  const control = path.join(dataDir, 'postgres/data/global/pg_control');
  await truncate(control, 100);
  const settings = { dataDir, databaseUrl: null, storageReserveBytes: 0 };
  const opening = openRecord({ settings, migrationsFolder: 'drizzle', log: createLog('silent') });
  const refusal = await opening.catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(RecordNotOpened);
  expect(String(refusal)).toMatch(/cannot be opened: Postgres ended .*(FATAL|PANIC): .*pg_control/);
});

test.each(['lock', 'postgres'])('a file in the place of %s is refused in words', async (name) => {
  const { refusal } = await openOn((folder) => writeFile(path.join(folder, name), ''));
  expect(refusal).toBeInstanceOf(RecordNotOpened);
  expect(String(refusal)).toContain('cannot be opened: ');
});
