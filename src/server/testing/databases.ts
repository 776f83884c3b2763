import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import postgres from 'postgres';
import { describe, inject, test } from 'vitest';
import type { Settings } from '#server/env.ts';

export type DatabaseKind = 'embedded' | 'server';

const server = inject('postgres');

/** The databases of this run, for `describe.each`. Where no Postgres can be had, one skipped test says so by name. */
export const databases: DatabaseKind[] = 'url' in server ? ['embedded', 'server'] : ['embedded'];
if ('missing' in server) {
  describe('on a Postgres server', () => {
    test.skip(`skipped: ${server.missing}`, () => undefined);
  });
}

export interface FreshDatabase {
  settings: Pick<Settings, 'dataDir' | 'databaseUrl'>;
  /** To be called when nothing uses the database any more. */
  cleanup(): Promise<void>;
}

/** An empty database of its own and an empty data directory. */
export async function freshDatabase(kind: DatabaseKind): Promise<FreshDatabase> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'vectora-test-'));
  const removeDataDir = () => rm(dataDir, { recursive: true, force: true });
  if (kind === 'embedded') {
    await cp(inject('embeddedTemplate'), dataDir, { recursive: true });
    return { settings: { dataDir, databaseUrl: null }, cleanup: removeDataDir };
  }
  if ('missing' in server) throw new Error(server.missing);
  const name = `vectora_test_${randomBytes(8).toString('hex')}`;
  await administer(server.url, (sql) => sql`create database ${sql(name)}`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return {
    settings: { dataDir, databaseUrl: url.href },
    async cleanup() {
      await administer(server.url, (sql) => sql`drop database ${sql(name)} with (force)`);
      await removeDataDir();
    },
  };
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
