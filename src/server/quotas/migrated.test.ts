import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openRecord } from '../db/open-record.ts';
import { createLog } from '../log.ts';
import { databases, freshDatabase } from '../testing/databases.ts';

/** The migrations before those of quotas. */
async function formerMigrations(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vectora-migrations-'));
  await cp('drizzle', folder, { recursive: true });
  const file = path.join(folder, 'meta/_journal.json');
  const journal = JSON.parse(await readFile(file, 'utf8')) as { entries: { tag: string }[] };
  const first = journal.entries.findIndex(({ tag }) => tag.endsWith('_quotas'));
  expect(first).toBeGreaterThan(0);
  await writeFile(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, first) }));
  return folder;
}

test.each(databases)('what a former record holds is counted, on the %s database', async (kind) => {
  const database = await freshDatabase(kind, { isEmpty: true });
  const migrationsFolder = await formerMigrations();
  const open = (folder: string) =>
    openRecord({
      settings: { ...database.settings, storageReserveBytes: 0 },
      migrationsFolder: folder,
      log: createLog('silent'),
    });
  try {
    const former = await open(migrationsFolder);
    const { sql } = former;
    await sql`insert into workspaces (name, slug) values ('w', 'w')`;
    await sql`insert into projects (workspace_id, name, slug) values (1, 'p', 'p')`;
    await sql`insert into collections (project_id, name, dimension, metric, document_count)
      values (1, 'full', 2, 'cosine', 2), (1, 'empty', 2, 'cosine', 0)`;
    await sql`insert into documents (collection_id, id, version, source, content_hash)
      values (1, 'a', 1, '{"id":"a"}', ''), (1, 'é', 1, '{"id":"é"}', '')`;
    await sql`insert into usage_counters (workspace_id, project_id, hour, requests) values
      (1, 0, '2026-01-31T23:00:00Z', 1), (1, 1, '2026-02-01T00:00:00Z', 2), (1, 2, '2026-02-28T23:00:00Z', 4)`;
    await former.close();

    const record = await open('drizzle');
    const collections =
      await record.sql`select name, document_bytes::int as bytes from collections order by id`;
    expect(collections).toEqual([
      { name: 'full', bytes: 21 },
      { name: 'empty', bytes: 0 },
    ]);
    const months = await record.sql`
      select to_char(month at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as month, requests::int as requests
      from monthly_requests order by 1`;
    expect(months).toEqual([
      { month: '2026-01-01 00:00', requests: 1 },
      { month: '2026-02-01 00:00', requests: 6 },
    ]);
    expect(await record.sql`select plan from workspaces`).toEqual([{ plan: 'free' }]);
    await record.close();
  } finally {
    await database.cleanup();
    await rm(migrationsFolder, { recursive: true });
  }
});
