import path from 'node:path';
import { Readable } from 'node:stream';
import postgres from 'postgres';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ImportSummary } from '#shared/documents.ts';
import { copyCluster, type FreshDatabase, freshDatabase } from '../databases.ts';
import { socketFolderOf } from './postmasters.ts';
import { setUpAccount } from './rest-client.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { canMount, SmallDisk } from './small-disk.ts';

/** Everything on a disk of its own that another program fills to the last byte. */
const diskMegabytes = 192;

let database: FreshDatabase;
let server: ServerProcess;
let disk: SmallDisk;
let key: string;

describe.runIf(canMount())('a disk that is full', () => {
  beforeEach(async () => {
    database = await freshDatabase('embedded', { isEmpty: true });
    disk = await SmallDisk.mount(database.settings.dataDir, diskMegabytes);
    await copyCluster(disk.folder);
  });
  afterEach(async () => {
    await server.stop();
    await disk.unmount();
    await database.cleanup();
  });

  test('during an import: what was refused is said, what was answered is there, and reads go on', async () => {
    await start({ reserveMegabytes: 32 });
    key = await setUpAccount(server.url, ['films']);
    const rows = 6_000;
    const summary = await importRows(rows, async (row) => {
      if (row !== rows / 2) return;
      await expect.poll(async () => (await exportedIds()).length).toBeGreaterThan(0);
      await disk.fill();
    });
    const accepted = summary.results.filter(({ success }) => success).map(({ id }) => id);
    const refused = summary.results.filter(({ success }) => !success);
    expect(accepted.length + refused.length).toBe(rows);
    expect(accepted.length).toBeGreaterThan(0);
    expect(refused.length).toBeGreaterThan(0);
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['UNAVAILABLE']));
    expect(await exportedIds()).toEqual(accepted.sort());

    await expectRefused(() => write('POST', 'documents?action=create', { id: 'more' }));
    await expectRefused(() => importMore());
    await expectRefused(() => write('PATCH', `documents/${accepted[0]}`, { title: 'other' }));
    await expectReads(accepted.length);

    await disk.empty();
    await whenWritable();
    expect(await exportedIds()).toEqual([...accepted, 'after'].sort());
  });

  test('so full that Postgres cannot write its log: it recovers and reads go on, also after a restart', async () => {
    await start({ reserveMegabytes: 0 });
    key = await setUpAccount(server.url, ['films']);
    const { succeeded } = await importRows(100);
    expect(succeeded).toBe(100);
    await disk.fill();
    await exhaustLog();
    await whenReady();
    await expectReads(100);
    await expectRefused(() => write('POST', 'documents?action=create', { id: 'more' }));
    await server.kill();
    await start({ reserveMegabytes: 0 });
    await expectReads(100);

    await disk.empty();
    await whenWritable();
    expect(await exportedIds()).toHaveLength(101);
  });

  test('a start on it serves reads', async () => {
    await start({ reserveMegabytes: 0 });
    key = await setUpAccount(server.url, ['films']);
    await importRows(100);
    expect(await server.stop()).toBe(0);
    await disk.fill();
    await start({ reserveMegabytes: 0 });
    await expectReads(100);
    await expectRefused(() => write('POST', 'documents?action=create', { id: 'more' }));
    expect(await server.stop()).toBe(0);

    await disk.empty();
    await start({ reserveMegabytes: 0 });
    await whenWritable();
  });

  async function start({ reserveMegabytes }: { reserveMegabytes: number }): Promise<void> {
    const { dataDir } = database.settings;
    const env = { DATA_DIR: dataDir, STORAGE_RESERVE_MB: String(reserveMegabytes), LOG_LEVEL: 'silent' };
    server = await startServer(env, { prefix: disk.prefix });
  }

  async function administer<T>(action: (sql: postgres.Sql) => Promise<T>): Promise<T> {
    const sql = postgres({
      path: path.join(await socketFolderOf(disk.folder), '.s.PGSQL.5432'),
      username: 'postgres',
      database: 'postgres',
      max: 1,
    });
    try {
      return await action(sql);
    } finally {
      await sql.end({ timeout: 1 });
    }
  }

  /** Makes Postgres begin parts of its log until there is no room for one, at which it ends, with all that were connected. */
  async function exhaustLog(): Promise<void> {
    const connected = () =>
      administer(
        (sql) =>
          sql<{ pid: number }[]>`select pid from pg_stat_activity where backend_type = 'client backend'`,
      );
    const before = (await connected()).map(({ pid }) => pid);
    const fill = (sql: postgres.Sql) => sql`select pg_logical_emit_message(true, '', repeat('x', 1000000))`;
    const exhaust = administer(async (sql) => {
      for (;;) await fill(sql);
    });
    await expect(exhaust).rejects.toThrow();
    // The server may find it as it was for as long as the others have not heard that one of them broke down.
    const leftOf = async () => (await connected()).filter(({ pid }) => before.includes(pid));
    await expect.poll(leftOf).toEqual([]);
  }
});

async function request(route: string, init: RequestInit = {}): Promise<Response> {
  return await fetch(`${server.url}/api/collections/films/${route}`, {
    ...init,
    headers: { 'x-api-key': key, ...init.headers },
    signal: AbortSignal.timeout(120_000),
  });
}

const status = async (route: string) => (await request(route)).status;

function write(method: string, route: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return request(route, { method, headers, body: JSON.stringify(body) });
}

function importMore(): Promise<Response> {
  const headers = { 'content-type': 'application/x-ndjson' };
  return request('documents/import', { method: 'POST', headers, body: '{"id":"more"}\n{"id":"most"}' });
}

async function importRows(count: number, before?: (row: number) => Promise<void>): Promise<ImportSummary> {
  async function* lines() {
    for (let row = 0; row < count; row += 1) {
      await before?.(row);
      const doc = { id: `d${row}`, title: `film ${row}`, body: `of the ${row}th day `.repeat(60) };
      yield Buffer.from(`${JSON.stringify(doc)}\n`);
    }
  }
  const response = await request('documents/import', {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: Readable.toWeb(Readable.from(lines())),
    duplex: 'half',
  } as RequestInit);
  return (await response.json()) as ImportSummary;
}

async function exportedIds(): Promise<string[]> {
  const text = await (await request('documents/export')).text();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).id)
    .sort();
}

async function expectRefused(attempt: () => Promise<Response>): Promise<void> {
  const response = await attempt();
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('30');
  expect(await response.text()).toContain('storage');
}

/** Each way of reading, and being signed in. */
async function expectReads(count: number): Promise<void> {
  expect(await status('documents/d1')).toBe(200);
  expect(await exportedIds()).toHaveLength(count);
  const search = await request('search?query=film');
  expect(search.status).toBe(200);
  expect(await search.json()).toMatchObject({ found: count });
  expect((await fetch(`${server.url}/ready`)).status).toBe(200);
}

/** Its database answers again. */
async function whenReady(): Promise<void> {
  const ready = async () => (await fetch(`${server.url}/ready`)).status;
  await expect.poll(ready).toBe(200);
}

async function whenWritable(): Promise<void> {
  const create = async () => (await write('POST', 'documents?action=create', { id: 'after' })).status;
  await expect.poll(create).toBe(201);
}
