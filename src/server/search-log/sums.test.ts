import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RecordStore } from '#server/db/client.ts';
import { createLog } from '#server/log.ts';
import { openTestRecord } from '#server/testing/open-record.ts';
import type { EventType } from '#shared/analytics.ts';
import { selectQueries, toQueryFigures } from './read-analytics.ts';
import { SearchLog } from './search-log.ts';

let record: RecordStore;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ record, close } = await openTestRecord());
});
afterAll(() => close());

interface Typed {
  typist?: string;
  found?: number;
  tookMs?: number;
  of?: { id: number; for: { tenant: string } };
}

/** A collection of its own. */
async function makeCollection() {
  const [made] = await record.sql<{ id: number }[]>`
    with w as (insert into workspaces (name, slug) values ('w', 'w') returning id),
      p as (insert into projects (workspace_id, name, slug) select id, 'p', 'p' from w returning id)
    insert into collections (project_id, name, dimension, metric) select id, 'c', 2, 'cosine' from p returning id`;
  return { id: Number(made?.id), for: { tenant: 'one' } };
}

async function open() {
  const collection = await makeCollection();
  let now = new Date('2026-06-01T23:00:00Z');
  const log = new SearchLog({
    record,
    log: createLog('silent'),
    clock: () => now,
    now: () => 0,
    sign: (text) => `${text.length}`.padStart(12, '-'),
  });
  const search = (query: string, { typist = 'ada', found = 1, tookMs = 1, of = collection }: Typed = {}) =>
    log.note({ collection: of, typist, mode: 'keyword', query, found, tookMs, isCounted: true });
  const tell = (queryId: string, documentId: string, position: number | null, type: EventType = 'click') =>
    log.noteEvent(collection, { type, queryId, documentId, position });
  const pass = (ms: number) => {
    now = new Date(now.getTime() + ms);
  };
  const queries = async ({ id }: { id: number } = collection) => {
    const rows = await record.sql`
      select * from search_queries where collection_id = ${id} order by query`;
    return rows.map(({ collection_id: _, key: __, ...row }) => row);
  };
  const days = async () => {
    const rows = await record.sql`
      select *, day::text as day from search_days where collection_id = ${collection.id} order by search_days.day`;
    return rows.map(({ collection_id: _, ...row }) => row);
  };
  return { collection, log, search, tell, pass, queries, days };
}

test('who types, and into which collection, is told apart', async () => {
  const { log, search, queries } = await open();
  const other = await makeCollection();
  search('re', { typist: 'ada' });
  search('red', { typist: 'bob' });
  search('red shoes', { typist: 'ada', of: other });
  await log.flush();
  const countsOf = async (of?: { id: number }) =>
    (await queries(of)).map(({ query, searches }) => `${query} ${searches}`);
  expect([await countsOf(), await countsOf(other)]).toEqual([['re 1', 'red 1'], ['red shoes 1']]);
});

test('what is told of searches is added up, in a batch and over batches', async () => {
  const { log, search, queries, days } = await open();
  for (let batch = 0; batch < 2; batch += 1) {
    search('star', { typist: 'ada', found: 0, tookMs: 2 });
    search('star', { typist: 'bob', found: 0, tookMs: 3.5 });
    search('star', { typist: 'cyd', found: 7, tookMs: 1 });
    await log.flush();
  }
  const sums = { searches: 6, without_results: 4 };
  expect(await queries()).toMatchObject([{ query: 'star', ...sums, found: expect.anything() }]);
  expect(Number((await queries())[0]?.['found'])).toBe(14);
  // The second batch has met a query that was there.
  expect(await days()).toMatchObject([{ ...sums, took_ms: 13, queries: 1 }]);
});

test('clicks and conversions are added up by search, in a batch and over batches', async () => {
  const { log, search, tell, queries, days } = await open();
  const [first, second] = [search('star', { typist: 'ada' }), search('star', { typist: 'bob' })];
  search('star', { typist: 'cyd' });
  tell(first, 'a', 1);
  tell(first, 'b', 2);
  tell(first, 'a', 9, 'conversion');
  tell(first, 'b', 9, 'conversion');
  tell(second, 'a', 1);
  await log.flush();
  tell(first, 'a', 1);
  tell(first, 'c', 4);
  tell(first, 'c', null, 'conversion');
  tell(second, 'a', null, 'conversion');
  await log.flush();
  // First clicks and conversions of a search make it a clicked and a converted one, whatever else was told of it.
  const sums = { searches: 3, clicks: 4, clicked: 2, conversions: 4, converted: 2 };
  expect(await queries()).toMatchObject([{ query: 'star', ...sums }]);
  expect(Number((await queries())[0]?.['positions'])).toBe(8);
  expect(await days()).toMatchObject([{ ...sums, events: 8, queries: 1 }]);
});

test('an event counts on the day of its search', async () => {
  const { log, search, tell, pass, days } = await open();
  const id = search('star');
  pass(2 * 60 * 60_000);
  tell(id, 'a', 1);
  await log.flush();
  expect(await days()).toMatchObject([{ day: '2026-06-01', searches: 1, clicks: 1 }]);
});

test('events that wait are written when the server stops', async () => {
  const { log, search, tell, days } = await open();
  tell(search('star'), 'a', 1);
  await log.stop();
  expect(await days()).toMatchObject([{ searches: 1, clicks: 1 }]);
});

test('queries without results are in the order of the searches that found nothing', async () => {
  const { collection, log, search } = await open();
  for (const typist of ['ada', 'bob', 'cyd']) search('often', { typist, found: typist === 'ada' ? 0 : 3 });
  for (const typist of ['ada', 'bob']) search('never', { typist, found: 0 });
  await log.flush();
  const day = '2026-06-01';
  const period = { collectionId: collection.id, from: day, to: day, mode: undefined, searchesMin: 0 };
  const rows = await selectQueries(record.db, { ...period, kind: 'no_results' });
  expect(rows.map(toQueryFigures)).toMatchObject([
    { query: 'never', searches: 2, without_results: 2, found: 0 },
    { query: 'often', searches: 3, without_results: 1, found: 2 },
  ]);
});
