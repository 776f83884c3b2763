import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RecordStore } from '#server/db/client.ts';
import { createLog } from '#server/log.ts';
import { openTestRecord } from '#server/testing/open-record.ts';
import type { SearchMode } from '#shared/search.ts';
import { dayOf, SearchLog } from './search-log.ts';

let record: RecordStore;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ record, close } = await openTestRecord());
});
afterAll(() => close());

/** A collection of its own, and a log in which things are searched for. */
async function open(written: (ids: number[]) => void = () => undefined) {
  const [made] = await record.sql<{ id: number }[]>`
    with w as (insert into workspaces (name, slug) values ('w', 'w') returning id),
      p as (insert into projects (workspace_id, name, slug) select id, 'p', 'p' from w returning id)
    insert into collections (project_id, name, dimension, metric) select id, 'c', 2, 'cosine' from p returning id`;
  const id = Number(made?.id);
  const collection = { id, for: { tenant: 'one' } };
  const log = new SearchLog({
    record,
    log: createLog('silent'),
    clock: () => new Date('2026-06-01T12:00:00Z'),
    now: () => 0,
    sign: (text) => `${text.length}`.padStart(12, '-'),
    onWritten: written,
  });
  const search = (query: string, mode: SearchMode = 'keyword', of = collection) =>
    log.note({ collection: of, typist: 'ada', mode, query, found: 1, tookMs: 1, isCounted: true });
  const click = (queryId: string, of = collection) =>
    log.noteEvent(of, { type: 'click', queryId, documentId: 'a', position: 1 });
  const clicked = async () => {
    const rows = await record.sql<{ clicks: number }[]>`
      select clicks from search_days where collection_id = ${id}`;
    return rows.map(({ clicks }) => clicks);
  };
  const counted = async () => {
    const rows = await record.sql<{ mode: string; query: string; searches: number }[]>`
      select mode, query, searches from search_queries where collection_id = ${id} order by query, mode`;
    return rows.map(({ mode, query, searches }) => `${mode} ${query} ${searches}`);
  };
  return { id, log, search, click, counted, clicked };
}

test('what waits is written when the server stops, also what is still typed', async () => {
  const { log, search, counted } = await open();
  for (const query of ['s', 'st', 'star', 'robot']) search(query);
  expect(await counted()).toEqual([]);
  await log.stop();
  expect(await counted()).toEqual(['keyword robot 1', 'keyword star 1']);
});

test('the same words in two modes are a search of each', async () => {
  const { log, search, counted } = await open();
  search('star', 'hybrid');
  search('star', 'keyword');
  await log.flush();
  expect(await counted()).toEqual(['hybrid star 1', 'keyword star 1']);
});

test('who waits for searches hears of them once others find them in the record', async () => {
  const found: Promise<number>[] = [];
  const { id, log, search } = await open((ids) => {
    expect(ids).toEqual([id]);
    const rows = record.sql`select from search_queries where collection_id = ${id}`;
    found.push(rows.then(({ length }) => length));
  });
  search('star');
  search('robot');
  await log.flush();
  expect(await Promise.all(found)).toEqual([2]);
});

test('searches of a collection that was deleted meanwhile are left out, those of others are counted', async () => {
  const gone = await open();
  const { log, search, counted } = await open();
  gone.search('star');
  search('robot');
  search('lost', 'keyword', { id: gone.id, for: { tenant: 'one' } });
  search('never there', 'keyword', { id: 900_000_000, for: { tenant: 'one' } });
  await record.sql`update collections set deleted_at = now() where id = ${gone.id}`;
  await Promise.all([log.flush(), gone.log.flush()]);
  expect(await counted()).toEqual(['keyword robot 1']);
  expect(await gone.counted()).toEqual([]);
});

test('what changes hands within a batch is counted as one collection, and keeps nobody from being counted', async () => {
  const { id, log, search, click, counted, clicked } = await open();
  const other = { id, for: { tenant: 'two' } };
  const queryId = search('star');
  search('moon');
  search('star', 'keyword', other);
  click(queryId);
  click(queryId, other);
  await log.flush();
  expect(await counted()).toEqual(['keyword moon 1', 'keyword star 2']);
  expect(await clicked()).toEqual([1]);
});

test('days are those of UTC, in any order', () => {
  const moments = ['2026-06-01T23:59:59.999Z', '2026-06-02T00:00:00.000Z', '2026-06-01T00:00:00.000Z'];
  const days = moments.map((moment) => dayOf(new Date(moment)));
  expect(days).toEqual(['2026-06-01', '2026-06-02', '2026-06-01']);
  expect(dayOf(new Date('1969-12-31T12:00:00Z'))).toBe('1969-12-31');
});
