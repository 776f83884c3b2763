import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RecordStore } from '#server/db/client.ts';
import { createLog } from '#server/log.ts';
import { openTestRecord } from '#server/testing/open-record.ts';
import { limits } from '#shared/limits.ts';
import { RequestLog } from './request-log.ts';
import type { KeptRequest } from './request-row.ts';
import { dropOldest } from './write-requests.ts';

let record: RecordStore;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ record, close } = await openTestRecord());
});
afterAll(() => close());

const plain: KeptRequest = {
  requestId: 'r',
  operation: 'search.keyword',
  type: 'search',
  way: 'api',
  keyId: null,
  collection: null,
  status: 200,
  tookMs: 1,
  found: 1,
  toTexts: () => ({ words: null, error: null, input: null, answer: null, replay: 'other' }),
};

async function open({
  over = record,
  servers = record.servers,
}: {
  over?: Pick<RecordStore, 'write'>;
  servers?: RecordStore['servers'];
} = {}) {
  const [made] = await record.sql<{ id: number }[]>`
    insert into workspaces (name, slug) values ('w', 'w') returning id`;
  const workspaceId = Number(made?.id);
  const time = { ms: 0 };
  const written: number[][] = [];
  const log = new RequestLog({
    record: { write: over.write, servers },
    log: createLog('silent'),
    clock: () => new Date('2026-06-01T12:00:00Z'),
    now: () => time.ms,
    isWatched: () => false,
    onWritten: (ids) => written.push(ids),
  });
  let noted = 0;
  const note = (count: number, of = workspaceId) => {
    for (let i = 0; i < count; i += 1) {
      noted += 1;
      const words = String(noted);
      log.note(of, () => ({ ...plain, toTexts: () => ({ ...plain.toTexts(), words }) }));
    }
  };
  const rows = () => record.sql<{ words: string; leftOut: number }[]>`
    select words, left_out as "leftOut" from requests where workspace_id = ${workspaceId} order by place`;
  return { log, note, rows, time, written, workspaceId };
}

test('requests of one moment are told apart, and each is there once though its batch is written twice', async () => {
  let fails = true;
  const { log, note, rows, written, workspaceId } = await open({
    over: {
      write: async (work, options) => {
        const result = await record.write(work, options);
        // The commit went through and nobody heard of it.
        if (fails) throw new Error('the connection is lost');
        return result;
      },
    },
  });
  note(3);
  await expect(log.flush()).rejects.toThrow('the connection is lost');
  expect(written).toEqual([]);
  fails = false;
  await log.flush();
  expect((await rows()).map(({ words }) => words)).toEqual(['1', '2', '3']);
  expect(written).toEqual([[workspaceId]]);
});

test('of more than are kept the number is told with the next, and another workspace has room of its own', async () => {
  const { log, note, rows, time } = await open();
  const other = await open();
  const { requestsKeptAtOnce: most, requestsKeptPerSecond: aSecond } = limits;
  note(most + 20);
  await log.flush();
  expect(await rows()).toHaveLength(most);
  time.ms += 1_000;
  note(aSecond + 5);
  await log.flush();
  const kept = await rows();
  expect(kept).toHaveLength(most + aSecond);
  expect(kept.filter(({ leftOut }) => leftOut > 0).map(({ leftOut }) => leftOut)).toEqual([20]);
  note(1, other.workspaceId);
  await log.flush();
  expect(await other.rows()).toHaveLength(1);
});

test('what waits for a while is written for who looks, and what waits while the record is away is said to be behind', async () => {
  let isAway = true;
  const { log, note, rows, time } = await open({
    over: {
      write: async (work, options) => {
        if (isAway) throw new Error('away');
        return record.write(work, options);
      },
    },
  });
  note(1);
  expect(await log.settle()).toBe(true);
  time.ms += 1_000;
  expect(await log.settle()).toBe(false);
  isAway = false;
  expect(await log.settle()).toBe(true);
  expect(await rows()).toHaveLength(1);
});

test('the oldest go where there are too many', async () => {
  const { workspaceId, rows } = await open();
  await record.sql`
    insert into requests (workspace_id, place, request_id, created_at, operation, type, way, status, took_ms, replay)
    select ${workspaceId}, i, 'r', now(), 'search.keyword', 'search', 'api', 200, 1, 'other'
    from generate_series(1, ${limits.requestsKeptMax + 3}) as i`;
  await record.write((db) => dropOldest(db, workspaceId));
  expect(await rows()).toHaveLength(limits.requestsKeptMax);
  const [first] = await record.sql<{ place: string }[]>`
    select min(place) as place from requests where workspace_id = ${workspaceId}`;
  expect(Number(first?.place)).toBe(4);
});

test('a workspace that was purged meanwhile drops out', async () => {
  const { log, note, rows, workspaceId } = await open();
  const other = await open();
  note(1);
  note(1, other.workspaceId);
  await record.sql`delete from workspaces where id = ${workspaceId}`;
  await log.flush();
  expect(await rows()).toEqual([]);
  expect(await other.rows()).toHaveLength(1);
});

test('requests of one moment to two servers on a record are all kept, in an order', async () => {
  const on = (own: number) => open({ servers: { ...record.servers, own, isShared: true } });
  const one = await on(7);
  const two = await on(300);
  for (const { log, note } of [one, two]) {
    note(20, one.workspaceId);
    await log.flush();
  }
  expect(await one.rows()).toHaveLength(40);
  const places = await record.sql`
    select words from requests where workspace_id = ${one.workspaceId} and mod(place, 256) = 7 order by place`;
  expect(places.map(({ words }) => words)).toEqual(Array.from({ length: 20 }, (_, i) => String(i + 1)));
  for (const { log } of [one, two]) await log.stop();
});
