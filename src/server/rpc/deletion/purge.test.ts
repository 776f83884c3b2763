import { EventEmitter, once } from 'node:events';
import { getTableName } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { RecordStore } from '#server/db/client.ts';
import { createLog } from '#server/log.ts';
import { databases } from '#server/testing/databases.ts';
import { openTestRecord } from '#server/testing/open-record.ts';
import { statementsOf } from '#server/testing/statements.ts';
import { kinds, purge, startPurge } from './purge.ts';

const now = new Date('2026-06-01T00:00:00.000Z');
const dead = '2026-05-01T00:00:00.000Z';

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

describe.each(databases)('the purge on the %s database', (kind) => {
  let record: RecordStore;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ record, close } = await openTestRecord(kind));
  });
  afterAll(() => close());
  afterEach(() => vi.useRealTimers());

  async function run(options: { dropIndex?: (id: number) => Promise<void>; signal?: AbortSignal } = {}) {
    const slices: number[] = [];
    const lines: string[] = [];
    const watched: RecordStore = {
      ...record,
      async write(work, writeOptions) {
        const result = await record.write(work, writeOptions);
        slices.push((result as { count: number }).count);
        return result;
      },
    };
    await purge(
      {
        record: watched,
        clock: () => now,
        log: createLog('info', (line) => lines.push(line)),
        purgeAfterMs: 60_000,
        auditKeepDays: 365,
        dropIndex: options.dropIndex ?? (async () => undefined),
      },
      options.signal,
    );
    return { slices, lines };
  }

  /** A workspace with a project with a collection, deleted or not; answers their common id. */
  async function addTree(deletedAt: string | null): Promise<number> {
    const { sql } = record;
    const [workspace] = await sql<{ id: number }[]>`
      insert into workspaces (name, slug, deleted_at) values ('w', 'w', ${deletedAt}) returning id`;
    const id = workspace?.id ?? 0;
    await sql`insert into projects (id, workspace_id, name, slug, deleted_at)
      overriding system value values (${id}, ${id}, 'p', 'p', ${deletedAt})`;
    await sql`insert into collections (id, project_id, name, dimension, metric, deleted_at)
      overriding system value values (${id}, ${id}, 'c', 2, 'cosine', ${deletedAt})`;
    return id;
  }

  async function addMany(id: number, rows: number): Promise<void> {
    const { sql } = record;
    await sql`insert into documents (collection_id, id, version, source, content_hash)
      select ${id}, n::text, n, '{}', '' from generate_series(1, ${rows}::int) n`;
    await sql`insert into deletions (collection_id, id, version)
      select ${id}, n::text, n from generate_series(1, ${rows}::int) n`;
    await sql`insert into search_days (collection_id, day)
      select ${id}, ${now.toISOString()}::date + n from generate_series(1, ${rows}::int) n`;
    await sql`insert into search_queries (collection_id, day, mode, key)
      select ${id}, ${now.toISOString()}::date, 'keyword', n from generate_series(1, ${rows}::int) n`;
    await sql`insert into click_positions (collection_id, day, position)
      select collection_id, day, 1 from search_days where collection_id = ${id}`;
    await sql`insert into search_events (collection_id, search, type, document, day)
      select ${id}, n, 'click', 1, ${now.toISOString()}::date from generate_series(1, ${rows}::int) n`;
    await sql`insert into api_keys (project_id, name, hash, ciphertext, last_four, permissions)
      select ${id}, n::text, decode(md5(${id} || '-' || n), 'hex'), '', '', '{}' from generate_series(1, ${rows}::int) n`;
    await sql`insert into conversations (project_id, key_id, name)
      select project_id, id, 'x' from api_keys where project_id = ${id}`;
    await sql`insert into conversation_messages (conversation_id, project_id, role, content)
      select id, project_id, 'user', 'x' from conversations where project_id = ${id}`;
    await sql`insert into events (workspace_id, type, description, created_at)
      select ${id}, 'x', 'x', ${now.toISOString()}::timestamptz from generate_series(1, ${rows}::int) n`;
    await sql`insert into usage_counters (workspace_id, project_id, hour, requests)
      select ${id}, n, ${now.toISOString()}::timestamptz, 1 from generate_series(1, ${rows}::int) n`;
  }

  async function countRows(id: number): Promise<Record<string, number>> {
    const [row] = await record.sql<Record<string, number>[]>`select
      (select count(*) from workspaces where id = ${id}) as workspaces,
      (select count(*) from projects where id = ${id}) as projects,
      (select count(*) from collections where id = ${id}) as collections,
      (select count(*) from documents where collection_id = ${id}) as documents,
      (select count(*) from deletions where collection_id = ${id}) as deletions,
      (select count(*) from search_days where collection_id = ${id}) as "searchDays",
      (select count(*) from search_queries where collection_id = ${id}) as "searchQueries",
      (select count(*) from click_positions where collection_id = ${id}) as "clickPositions",
      (select count(*) from search_events where collection_id = ${id}) as "searchEvents",
      (select count(*) from api_keys where project_id = ${id}) as "apiKeys",
      (select count(*) from conversations where project_id = ${id}) as conversations,
      (select count(*) from conversation_messages where project_id = ${id}) as messages,
      (select count(*) from events where workspace_id = ${id}) as events,
      (select count(*) from usage_counters where workspace_id = ${id}) as "usageCounters"`;
    return { ...row };
  }
  const one = { workspaces: 1, projects: 1, collections: 1 };
  const none = { workspaces: 0, projects: 0, collections: 0 };
  const belonging = (rows: number) => ({
    documents: rows,
    deletions: rows,
    searchDays: rows,
    searchQueries: rows,
    clickPositions: rows,
    searchEvents: rows,
    apiKeys: rows,
    conversations: rows,
    messages: rows,
    events: rows,
    usageCounters: rows,
  });

  test('a deleted workspace goes in slices, whatever belongs to it; a living one stays', async () => {
    const [gone, living] = [await addTree(dead), await addTree(null)];
    await addMany(gone, 4_500);
    await addMany(living, 3);
    const { slices } = await run();
    expect(Math.max(...slices)).toBe(2_000);
    expect(slices.reduce((sum, count) => sum + count, 0)).toBe(11 * 4_500 + 3);
    expect(await countRows(gone)).toEqual({ ...none, ...belonging(0) });
    expect(await countRows(living)).toEqual({ ...one, ...belonging(3) });
  });

  test('an index that cannot be dropped keeps its collection and what is above it, and nothing else', async () => {
    const [stuck, gone] = [await addTree(dead), await addTree(dead)];
    await addMany(stuck, 2);
    const dropIndex = async (id: number) => {
      if (id === stuck) throw new Error('the file is busy');
    };
    const { lines } = await run({ dropIndex });
    expect(await countRows(stuck)).toEqual({ ...one, ...belonging(2) });
    expect(await countRows(gone)).toEqual({ ...none, ...belonging(0) });
    expect(lines.join('\n')).toContain('the file is busy');
    await run();
    expect(await countRows(stuck)).toEqual({ ...none, ...belonging(0) });
  });

  test('what goes before a thing, or keeps it, is what Postgres would remove with it', async () => {
    const cascades = await record.sql<{ onto: string; column: string }[]>`
      select f.confrelid::regclass::text as onto, f.conrelid::regclass || '.' || a.attname as column
      from pg_constraint f join pg_attribute a on a.attrelid = f.conrelid and a.attnum = any(f.conkey)
      where f.contype = 'f' and f.confdeltype = 'c' and f.connamespace = 'public'::regnamespace`;
    for (const { table, belonging, below } of kinds) {
      const name = getTableName(table);
      const columns = [...belonging, ...(below ? [below] : [])];
      const named = columns.map((column) => `${getTableName(column.table)}.${snakeCase(column.name)}`);
      const removed = cascades.filter(({ onto }) => onto === name).map(({ column }) => column);
      expect(named.sort(), name).toEqual(removed.sort());
    }
  });

  test('a run that shall stop ends at its next slice', async () => {
    const id = await addTree(dead);
    await addMany(id, 2);
    const stopping = new AbortController();
    await run({ signal: stopping.signal, dropIndex: async () => stopping.abort() });
    expect(await countRows(id)).toEqual({ ...one, ...belonging(2) });
    await run();
    expect(await countRows(id)).toEqual({ ...none, ...belonging(0) });
  });

  test('nothing goes until a restore that was in time has ended: ten seconds after the last moment of Undo', async () => {
    const ago = (ms: number) => new Date(now.getTime() - ms).toISOString();
    const [early, late] = [await addTree(ago(60_000 + 9_999)), await addTree(ago(60_000 + 10_000))];
    await run();
    expect(await countRows(early)).toMatchObject(one);
    expect(await countRows(late)).toMatchObject(none);
  });

  test('by itself: every ten seconds, one run at a time; stopping waits for the run under way', async () => {
    const id = await addTree(dead);
    const order: string[] = [];
    const steps = new EventEmitter();
    const goOn = once(steps, 'go on');
    const dropIndex = async () => {
      order.push('begun');
      await goOn;
      order.push('went on');
    };
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const parts = {
      record,
      clock: () => now,
      log: createLog('silent'),
      purgeAfterMs: 60_000,
      auditKeepDays: 365,
      dropIndex,
    };
    const purging = startPurge(parts);
    vi.advanceTimersByTime(9_999);
    expect(vi.getTimerCount()).toBe(1);
    expect(order).toEqual([]);
    vi.advanceTimersByTime(1);
    await expect.poll(() => order).toEqual(['begun']);
    const asked = await statementsOf(record, async () => {
      vi.advanceTimersByTime(30_000);
      await record.sql`select 1`;
    });
    // Further runs would have asked the record first.
    expect(asked).toEqual(['select 1']);
    const stopping = purging.stop().then(() => order.push('stopped'));
    expect(vi.getTimerCount()).toBe(0);
    await record.sql`select 1`;
    steps.emit('go on');
    await stopping;
    expect(order).toEqual(['begun', 'went on', 'stopped']);
    expect(await countRows(id)).toMatchObject(one);
    await run();
  });

  test('events, usage figures, figures of searches and conversations are kept for 90 days, sessions until they end', async () => {
    const { sql } = record;
    const id = await addTree(null);
    const kept = '2026-03-03T00:00:00.000Z';
    const old = '2026-03-02T23:59:59.000Z';
    for (const at of [kept, old]) {
      await sql`insert into events (workspace_id, type, description, created_at) values (${id}, 'x', ${at}, ${at})`;
      await sql`insert into usage_counters (workspace_id, project_id, hour, requests) values (${id}, 0, ${at}, 1)`;
      await sql`insert into search_days (collection_id, day) values (${id}, ${at.slice(0, 10)})`;
      await sql`insert into search_queries (collection_id, day, mode, key) values (${id}, ${at.slice(0, 10)}, 'keyword', 1)`;
      await sql`insert into click_positions (collection_id, day, position) values (${id}, ${at.slice(0, 10)}, 1)`;
    }
    // For as long as they can be told again.
    await sql`insert into search_events (collection_id, search, type, document, day)
      values (${id}, 1, 'click', 1, '2026-05-02'), (${id}, 2, 'click', 1, '2026-05-01')`;
    const [user] = await sql<
      { id: number }[]
    >`insert into users (email, email_key, username, username_key, password_hash)
      values ('a', 'a', 'a', 'a', '-') returning id`;
    for (const [name, at] of Object.entries({ over: now.toISOString(), on: '2026-06-01T00:00:01.000Z' })) {
      await sql`insert into sessions (id, user_id, expires_at) values (${name}, ${user?.id ?? 0}, ${at})`;
    }
    for (const [begun, on] of [
      [old, kept],
      [old, old],
    ] as const) {
      await sql`with one as (insert into conversations (project_id, user_id, name, updated_at)
          values (${id}, ${user?.id ?? 0}, ${on}, ${on}) returning id)
        insert into conversation_messages (conversation_id, project_id, role, content, created_at)
        select id, ${id}, 'user', at, at::timestamptz from one, unnest(array[${begun}, ${on}]) at`;
    }
    await run();
    const talks =
      await sql`select name, content from conversations c join conversation_messages m on m.conversation_id = c.id where c.project_id = ${id}`;
    expect(talks.map((row) => ({ ...row }))).toEqual([{ name: kept, content: kept }]);
    expect(await sql`select from conversations where project_id = ${id}`).toHaveLength(1);
    const events = await sql<
      { description: string }[]
    >`select description from events where workspace_id = ${id}`;
    expect(events).toEqual([{ description: kept }]);
    const days = await sql<{ day: string }[]>`
      select day::text from search_days where collection_id = ${id}
      union all select day::text from search_queries where collection_id = ${id}
      union all select day::text from click_positions where collection_id = ${id}`;
    expect(days.map(({ day }) => day)).toEqual(Array(3).fill('2026-03-03'));
    const told = await sql<{ day: string }[]>`
      select day::text from search_events where collection_id = ${id}`;
    expect(told.map(({ day }) => day)).toEqual(['2026-05-02']);
    const hours = await sql<{ hour: string }[]>`select hour from usage_counters where workspace_id = ${id}`;
    expect(hours.map(({ hour }) => new Date(hour).toISOString())).toEqual([kept]);
    expect(await sql<{ id: string }[]>`select id from sessions`).toEqual([{ id: 'on' }]);
  });

  test('a deleted key goes with its counts and its conversations when the time of Undo is over, in slices', async () => {
    const { sql } = record;
    const id = await addTree(null);
    await addMany(id, 4_500);
    await sql`insert into key_counters (key_id, hour, requests)
      select id, ${now.toISOString()}::timestamptz, 1 from api_keys where project_id = ${id}`;
    const undoable = new Date(now.getTime() - 60_000 - 9_999).toISOString();
    await sql`update api_keys set deleted_at = ${dead} where project_id = ${id}`;
    await sql`update api_keys set deleted_at = ${undoable} where project_id = ${id} and name = '1'`;
    await sql`update api_keys set deleted_at = null where project_id = ${id} and name = '2'`;
    const { slices } = await run();
    expect(Math.max(...slices)).toBe(2_000);
    expect(await countRows(id)).toMatchObject({ ...one, apiKeys: 2, conversations: 2, messages: 2 });
    const counted =
      await sql`select from key_counters c join api_keys k on k.id = c.key_id where k.project_id = ${id}`;
    expect(counted).toHaveLength(2);
  });

  test('audit entries are kept for AUDIT_KEEP_DAYS, whatever becomes of their workspace', async () => {
    const { sql } = record;
    const gone = await addTree(dead);
    const dayMs = 24 * 60 * 60_000;
    const [kept, old] = [365, 366].map((days) => new Date(now.getTime() - days * dayMs).toISOString());
    for (const [rows, at] of [
      [1, kept],
      [2_500, old],
    ] as const) {
      await sql`insert into audit_entries (created_at, action, outcome, times, actor_kind, workspace_id)
        select ${at ?? ''}::timestamptz, 'x', 'done', 1, 'nobody', ${gone} from generate_series(1, ${rows}::int)`;
    }
    const { slices } = await run();
    expect(slices).toContain(2_000);
    expect(await countRows(gone)).toMatchObject(none);
    const left = await sql<
      { at: Date }[]
    >`select created_at as at from audit_entries where workspace_id = ${gone}`;
    expect(left.map(({ at }) => new Date(at).toISOString())).toEqual([kept]);
  });
});
