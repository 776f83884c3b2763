import { getTableName } from 'drizzle-orm';
import type postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { triesForgottenAfterMs } from '#server/auth/tries/try-counts.ts';
import type { RecordStore } from '#server/db/client.ts';
import { createLog } from '#server/log.ts';
import { databases } from '#server/testing/databases.ts';
import { openTestRecord } from '#server/testing/open-record.ts';
import { outlived, purge } from './purge.ts';

/** How long each kind of row is kept, as docs/operations.md and docs/security.md say: one that is as old as it may be stays, one that is older goes. */
const now = new Date('2026-06-01T00:00:00.000Z');
const secondMs = 1_000;
const hourMs = 60 * 60 * secondMs;
const dayMs = 24 * hourMs;
const auditKeepDays = 400;

interface World {
  sql: postgres.Sql;
  workspace: number;
  collection: number;
  user: number;
  key: number;
  webhook: number;
}

interface Kept {
  forMs: number;
  /** By which moments are told apart; a day for what has only a date. */
  stepMs?: number;
  /** A row whose time began then; `i` is another each time. */
  add(world: World, at: string, i: number): Promise<unknown>;
}

const history = 90 * dayMs;
const kept: Record<string, Kept> = {
  sessions: {
    forMs: 0,
    add: ({ sql, user }, at, i) =>
      sql`insert into sessions (id, user_id, expires_at) values (${`s${i}`}, ${user}, ${at})`,
  },
  password_resets: {
    forMs: 0,
    add: ({ sql, user }, at, i) =>
      sql`insert into password_resets (id, user_id, expires_at) values (${`r${i}`}, ${user}, ${at})`,
  },
  email_changes: {
    forMs: 0,
    add: ({ sql }, at, i) => sql`
      with one as (insert into users (email, email_key, username, username_key, password_hash)
        values (${`u${i}`}, ${`u${i}`}, ${`u${i}`}, ${`u${i}`}, '-') returning id)
      insert into email_changes (user_id, token_hash, email, expires_at)
      select id, ${`t${i}`}, 'x', ${at}::timestamptz from one`,
  },
  wrong_passwords: {
    forMs: triesForgottenAfterMs,
    add: ({ sql }, at, i) =>
      sql`insert into wrong_passwords (bucket, tries, tried_at) values (${i}, 1, ${at})`,
  },
  imports: {
    forMs: dayMs,
    add: ({ sql, collection }, at) =>
      sql`insert into imports (collection_id, action, request, state, updated_at) values (${collection}, 'upsert', '', 'done', ${at})`,
  },
  events: {
    forMs: history,
    add: ({ sql, workspace }, at) =>
      sql`insert into events (workspace_id, type, description, created_at) values (${workspace}, 'x', 'x', ${at})`,
  },
  audit_entries: {
    forMs: auditKeepDays * dayMs,
    add: ({ sql, workspace }, at) =>
      sql`insert into audit_entries (created_at, action, outcome, times, actor_kind, workspace_id) values (${at}, 'x', 'done', 1, 'nobody', ${workspace})`,
  },
  requests: {
    forMs: 7 * dayMs,
    add: ({ sql, workspace }, at, i) =>
      sql`insert into requests (workspace_id, place, request_id, created_at, operation, type, way, status, took_ms, replay) values (${workspace}, ${i}, 'x', ${at}, 'x', 'search', 'rest', 200, 1, 'no')`,
  },
  usage_counters: {
    forMs: history,
    add: ({ sql, workspace }, at) =>
      sql`insert into usage_counters (workspace_id, project_id, hour, requests) values (${workspace}, 0, ${at}, 1)`,
  },
  key_counters: {
    forMs: 2 * dayMs,
    add: ({ sql, key }, at) =>
      sql`insert into key_counters (key_id, hour, requests) values (${key}, ${at}, 1)`,
  },
  monthly_requests: {
    forMs: history,
    add: ({ sql, workspace }, at) =>
      sql`insert into monthly_requests (workspace_id, month, requests) values (${workspace}, ${at}, 1)`,
  },
  request_series: {
    forMs: history,
    add: ({ sql, workspace }, at) =>
      sql`insert into request_series (workspace_id, grain, at) values (${workspace}, 'day', ${at})`,
  },
  host_series: {
    forMs: history,
    add: ({ sql }, at) =>
      sql`insert into host_series (server, grain, at, first_at) values ('x', 'day', ${at}, ${at})`,
  },
  alerts: {
    forMs: history,
    add: ({ sql, workspace }, at) =>
      sql`insert into alerts (workspace_id, name, type, metric, comparison, threshold, minutes, value, raised_at, resolved_at) values (${workspace}, 'x', 'warning', 'requests', 'above', 1, 1, 2, '2020-01-01', ${at})`,
  },
  webhook_deliveries: {
    forMs: 7 * dayMs,
    add: ({ sql, webhook }, at, i) =>
      sql`insert into webhook_deliveries (webhook_id, event, message_id, body, created_at) values (${webhook}, 'alert.raised', ${`${i}`}, '{}', ${at})`,
  },
  search_days: {
    forMs: history,
    stepMs: dayMs,
    add: ({ sql, collection }, at) =>
      sql`insert into search_days (collection_id, day) values (${collection}, ${at.slice(0, 10)})`,
  },
  search_queries: {
    forMs: history,
    stepMs: dayMs,
    add: ({ sql, collection }, at) =>
      sql`insert into search_queries (collection_id, day, mode, key) values (${collection}, ${at.slice(0, 10)}, 'keyword', 1)`,
  },
  click_positions: {
    forMs: history,
    stepMs: dayMs,
    add: ({ sql, collection }, at) =>
      sql`insert into click_positions (collection_id, day, position) values (${collection}, ${at.slice(0, 10)}, 1)`,
  },
  search_events: {
    forMs: 30 * dayMs,
    stepMs: dayMs,
    add: ({ sql, collection }, at, i) =>
      sql`insert into search_events (collection_id, search, type, document, day) values (${collection}, ${i}, 'click', 1, ${at.slice(0, 10)})`,
  },
  conversations: {
    forMs: history,
    add: ({ sql, user }, at, i) =>
      sql`insert into conversations (project_id, user_id, name, updated_at) select id, ${user}, ${`c${i}`}, ${at} from projects`,
  },
  conversation_messages: {
    forMs: history,
    add: ({ sql, user }, at, i) => sql`
      with one as (insert into conversations (project_id, user_id, name, updated_at)
        select id, ${user}, ${`m${i}`}, ${now.toISOString()} from projects returning id, project_id)
      insert into conversation_messages (conversation_id, project_id, role, content, created_at)
      select id, project_id, 'user', 'x', ${at}::timestamptz from one`,
  },
};

describe.each(databases)('what is kept for a time, on the %s database', (kind) => {
  let record: RecordStore;
  let close: () => Promise<void>;
  let world: World;

  beforeAll(async () => {
    ({ record, close } = await openTestRecord(kind));
    const { sql } = record;
    const id = async (rows: Promise<postgres.RowList<{ id: number }[]>>) => Number((await rows)[0]?.id);
    const workspace = await id(sql`insert into workspaces (name, slug) values ('w', 'w') returning id`);
    const project = await id(
      sql`insert into projects (workspace_id, name, slug) values (${workspace}, 'p', 'p') returning id`,
    );
    world = {
      sql,
      workspace,
      collection: await id(
        sql`insert into collections (project_id, name, dimension, metric) values (${project}, 'c', 2, 'cosine') returning id`,
      ),
      user: await id(
        sql`insert into users (email, email_key, username, username_key, password_hash) values ('a', 'a', 'a', 'a', '-') returning id`,
      ),
      key: await id(
        sql`insert into api_keys (project_id, name, hash, ciphertext, last_four, permissions) values (${project}, 'k', '', '', '', '{}') returning id`,
      ),
      webhook: await id(
        sql`insert into webhooks (workspace_id, name, url, secret) values (${workspace}, 'h', 'x', '') returning id`,
      ),
    };
  });
  afterAll(() => close());

  const run = (at: Date) =>
    purge({
      record,
      clock: () => at,
      log: createLog('silent'),
      purgeAfterMs: 60_000,
      auditKeepDays,
      dropIndex: async () => undefined,
    });

  test('is all that the purge removes by its age', () => {
    const tables = outlived({ now, before: now, auditKeepDays }).map(({ table }) => getTableName(table));
    // Keys go by their deletion, rate windows by the record's own clock.
    const known = [...Object.keys(kept), 'api_keys', 'rate_windows'];
    expect([...new Set(tables)].sort()).toEqual(known.sort());
  });

  test.each(Object.entries(kept))('%s', async (table, { forMs, stepMs = secondMs, add }) => {
    const end = now.getTime() - forMs;
    const ats = [end + stepMs, end - stepMs].map((ms) => new Date(ms).toISOString());
    for (const [i, at] of ats.entries()) await add(world, at, i);
    const count = async () =>
      Number((await world.sql`select count(*) from ${world.sql(table)}`)[0]?.['count']);
    const before = await count();
    await run(now);
    expect(await count()).toBe(before - 1);
    // The younger one.
    await run(new Date(now.getTime() + 2 * stepMs));
    expect(await count()).toBe(before - 2);
  });
});
