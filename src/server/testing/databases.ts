import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { describe, inject, test } from 'vitest';
import type { Settings } from '#server/env.ts';

/** The Postgres servers of this run: the one that comes with the product, and an older one. Both by DATABASE_URL. */
export type DatabaseKind = 'bundled' | 'older';

const servers = { bundled: inject('bundledPostgres'), older: inject('olderPostgres') };

/** The older one; the bundled one where none is installed, which a skipped test says by name. */
export const oldest: DatabaseKind = 'url' in servers.older ? 'older' : 'bundled';

/**
 * For `describe.each`, in tests of what is said in SQL. `npm test` runs every procedure's SQL on the oldest one in isolation.test.ts, and
 * `npm run test:long` all of these. What stands above SQL is tested on the bundled one alone.
 */
export const databases: DatabaseKind[] = process.env['LONG_TESTS']
  ? [...new Set<DatabaseKind>(['bundled', oldest])]
  : ['bundled'];
if ('missing' in servers.older) {
  const { missing } = servers.older;
  describe('on the older database', () => {
    test.skip(`skipped: ${missing}`, () => undefined);
  });
}

export interface FreshDatabase {
  settings: Pick<Settings, 'dataDir' | 'databaseUrl'>;
  /** To be called when nothing uses the database any more. */
  cleanup(): Promise<void>;
}

/**
 * A migrated database of its own, or one without any table, and a data directory. `embedded`: no server, and in the directory what a first
 * start leaves there, or nothing.
 */
export async function freshDatabase(
  kind: DatabaseKind | 'embedded' = 'bundled',
  { isEmpty = false } = {},
): Promise<FreshDatabase> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'vectora-test-'));
  const removeDataDir = () => rm(dataDir, { recursive: true, force: true });
  if (kind === 'embedded') {
    if (!isEmpty) await copyCluster(dataDir);
    return { settings: { dataDir, databaseUrl: null }, cleanup: removeDataDir };
  }
  const server = servers[kind];
  if ('missing' in server) throw new Error(server.missing);
  const name = `vectora_test_${randomBytes(8).toString('hex')}`;
  const template = isEmpty ? 'template0' : server.template;
  // Files are copied, not pages logged: without fsync that takes half the time.
  await administer(
    server.url,
    (sql) => sql`create database ${sql(name)} template ${sql(template)} strategy file_copy`,
  );
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  // Beside many tests a new connection may wait long for a processor.
  url.searchParams.set('connect_timeout', '60');
  return {
    settings: { dataDir, databaseUrl: url.href },
    async cleanup() {
      await administer(server.url, (sql) => sql`drop database ${sql(name)} with (force)`);
      await removeDataDir();
    },
  };
}

/** What a first start leaves, in a data directory that is there. To make it takes twenty times as long. Postgres' own files alone: they may be another account's. */
export async function copyCluster(dataDir: string): Promise<void> {
  const folder = path.join(dataDir, 'postgres');
  await mkdir(folder, { mode: 0o700 });
  const cluster = path.join(inject('embeddedTemplate'), 'postgres/data');
  await promisify(execFile)('cp', ['-Rp', cluster, folder]);
}

/** Some statements on a connection of their own. */
export async function administer<T>(url: string, action: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return await action(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
