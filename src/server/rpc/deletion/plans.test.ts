import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database, RecordStore } from '#server/db/client.ts';
import { databases } from '#server/testing/databases.ts';
import { openTestRecord } from '#server/testing/open-record.ts';
import { deleteSlice, doomedWith, kinds, outlived, selectDead } from './purge.ts';

const now = new Date('2026-06-01T00:00:00.000Z');
const rows = 3_000;

/** Some thousand of everything, one in a hundred deleted; the planner knows it. */
async function fill({ sql: driver }: RecordStore): Promise<void> {
  const at = now.toISOString();
  await driver`insert into users (email, email_key, username, username_key, password_hash)
    select n, n::text, n, n::text, '-' from generate_series(1, ${rows}) n`;
  await driver`insert into workspaces (name, slug, deleted_at)
    select n, n, case when n % 100 = 0 then ${at}::timestamptz end from generate_series(1, ${rows}) n`;
  await driver`insert into projects (workspace_id, name, slug, deleted_at)
    select id, name, slug, deleted_at from workspaces`;
  await driver`insert into collections (project_id, name, dimension, metric, deleted_at)
    select id, name, 2, 'cosine', deleted_at from projects`;
  await driver`insert into aliases (project_id, name, collection_id) select project_id, 'live', id from collections`;
  await driver`insert into imports (collection_id, action, request, state, updated_at)
    select id, 'upsert', '', 'done', ${at}::timestamptz - id * interval '1 hour' from collections`;
  await driver`insert into import_faults (import_id, row, faults) select id, 0, '[]' from imports`;
  await driver`insert into documents (collection_id, id, version, source, content_hash)
    select id, '1', 1, '{}', '' from collections`;
  await driver`insert into deletions (collection_id, id, version) select id, '2', 2 from collections`;
  await driver`insert into search_days (collection_id, day) select id, ${at}::timestamptz - id * interval '1 hour' from collections`;
  await driver`insert into search_queries (collection_id, day, mode, key) select collection_id, day, 'keyword', 1 from search_days`;
  await driver`insert into click_positions (collection_id, day, position) select collection_id, day, 1 from search_days`;
  await driver`insert into search_events (collection_id, search, type, document, day)
    select collection_id, 1, 'click', 1, day from search_days`;
  await driver`insert into api_keys (project_id, name, hash, ciphertext, last_four, permissions, deleted_at)
    select id, name, decode(md5(name), 'hex'), '', '', '{}', deleted_at from projects`;
  await driver`insert into key_counters (key_id, hour, requests) select id, ${at}, 1 from api_keys`;
  await driver`insert into conversations (project_id, key_id, name, updated_at)
    select project_id, id, 'x', ${at}::timestamptz - id * interval '1 hour' from api_keys`;
  await driver`insert into conversations (project_id, user_id, name, updated_at, deleted_at)
    select id, id, 'x', ${at}::timestamptz - id * interval '1 hour', deleted_at from projects`;
  await driver`insert into conversation_messages (conversation_id, project_id, role, content, created_at)
    select id, project_id, 'user', 'x', updated_at from conversations`;
  await driver`insert into members (workspace_id, user_id, role) select id, id, 'owner' from workspaces`;
  await driver`insert into events (workspace_id, actor_id, type, description, created_at)
    select id, id, 'x', 'x', ${at}::timestamptz - id * interval '1 hour' from workspaces`;
  await driver`insert into usage_counters (workspace_id, project_id, hour, requests)
    select id, 0, ${at}::timestamptz - id * interval '1 hour', 1 from workspaces`;
  await driver`insert into monthly_requests (workspace_id, month, requests)
    select id, ${at}::timestamptz - id * interval '1 month', 1 from workspaces`;
  await driver`insert into audit_entries (created_at, action, outcome, times, actor_kind, workspace_id)
    select ${at}::timestamptz - id * interval '1 hour', 'x', 'done', 1, 'nobody', id from workspaces`;
  await driver`insert into sessions (id, user_id, expires_at)
    select id, id, ${at}::timestamptz + (id - 100) * interval '1 hour' from users`;
  await driver`insert into password_resets (id, user_id, expires_at)
    select id, id, ${at}::timestamptz + (id - 100) * interval '1 hour' from users`;
  await driver`insert into email_changes (user_id, token_hash, email, expires_at)
    select id, id, 'x', ${at}::timestamptz + (id - 100) * interval '1 hour' from users`;
  await driver`insert into wrong_passwords (bucket, tries, tried_at)
    select id, 1, ${at}::timestamptz - id * interval '1 hour' from users`;
  await driver`analyze`;
}

describe.each(databases)('statements over many rows, on the %s database', (kind) => {
  let record: RecordStore;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ record, close } = await openTestRecord(kind));
    await fill(record);
  });
  afterAll(() => close());

  /** How Postgres would run it if it could choose among indexes only. */
  const planOf = (make: (db: Database) => SQL) =>
    record.write(async (db) => {
      await db.execute(sql`set local enable_seqscan = off`);
      const lines = await db.execute<{ 'QUERY PLAN': string }>(sql`explain ${make(db)}`);
      return lines.map((line) => line['QUERY PLAN']).join('\n');
    });

  /** Each scan goes straight to its rows: none reads a table, or an index, from end to end. */
  function expectDirect(plan: string, what: string): void {
    expect(plan, what).not.toContain('Seq Scan');
    for (const scan of plan.split(/\n(?=.*Scan)/).filter((part) => /Index (Only )?Scan/.test(part))) {
      expect(scan, `${what}\n${plan}`).toContain('Index Cond');
    }
  }

  test('the purge finds what it removes', async () => {
    for (const one of kinds) {
      const scope = { id: 100, before: now };
      expectDirect(await planOf((db) => selectDead(db, one, now).getSQL()), 'which are dead');
      const doomed = await record.write(async (db) => doomedWith(db, one, scope));
      for (const part of doomed)
        expectDirect(await planOf((db) => deleteSlice(db, part).getSQL()), 'a slice');
    }
    for (const part of outlived({ now, before: now, auditKeepDays: 365 }))
      expectDirect(await planOf((db) => deleteSlice(db, part).getSQL()), 'history');
  });

  test('a deletion finds the latest one below it', async () => {
    const latest = sql`select max(deleted_at) from projects where workspace_id = 100`;
    expectDirect(await planOf(() => latest), 'below a workspace');
    const below = sql`select max(c.deleted_at) from collections c join projects p on p.id = c.project_id where p.id = 100`;
    expectDirect(await planOf(() => below), 'below a project');
  });

  test('each foreign key has a whole index for its cascade', async () => {
    const bare = await record.sql<{ key: string }[]>`
      select conrelid::regclass || '.' || conname as key from pg_constraint
      where contype = 'f' and connamespace = 'public'::regnamespace and not exists (
        select from pg_index where indrelid = conrelid and indpred is null and indkey[0] = conkey[1])`;
    expect(bare.map(({ key }) => key)).toEqual([]);
  });
});
