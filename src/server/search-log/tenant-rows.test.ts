import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { RecordStore } from '#server/db/client.ts';
import { createLog } from '#server/log.ts';
import { openTestRecord } from '#server/testing/open-record.ts';
import { TenantRows } from './tenant-rows.ts';

interface Row {
  key: string;
  count: number;
}

let record: RecordStore;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ record, close } = await openTestRecord());
});
beforeEach(async () => {
  await record.sql`drop table if exists sums`;
  await record.sql`create table sums (key text primary key, count int not null)`;
});
afterAll(() => close());

const merge = (waiting: Row, added: Row) => ({ ...waiting, count: waiting.count + added.count });
const make = (options: { inSum?: (row: Row) => { key: string; row: Row } } = {}) =>
  new TenantRows<Row>({
    record,
    log: createLog('silent'),
    what: 'sums',
    merge,
    bounds: { tenants: 4, rowsOfTenant: 3, rowsOfAll: 8 },
    async write(db, rows) {
      for (const { key, count } of rows)
        await db.execute(sql`insert into sums values (${key}, ${count})
          on conflict (key) do update set count = sums.count + excluded.count`);
    },
    ...options,
  });
const put = (rows: TenantRows<Row>, tenant: string, keys: string[]) =>
  keys.map((key) => rows.put(tenant, key, { key: `${tenant}/${key}`, count: 1 }));
const written = async () => {
  const rows = await record.sql<Row[]>`select * from sums order by key`;
  return Object.fromEntries(rows.map(({ key, count }) => [key, count]));
};

test('a tenant has so many rows and takes nobody else’s; what there is is added up', async () => {
  const rows = make();
  expect(put(rows, 'loud', ['a', 'b', 'c', 'd', 'a', 'e'])).toEqual([true, true, true, false, true, false]);
  expect(put(rows, 'quiet', ['a'])).toEqual([true]);
  await rows.flush();
  expect(await written()).toEqual({ 'loud/a': 2, 'loud/b': 1, 'loud/c': 1, 'quiet/a': 1 });
});

test('what there is no room for counts in a sum', async () => {
  const rows = make({ inSum: ({ count }) => ({ key: 'others', row: { key: 'others', count } }) });
  put(rows, 'loud', ['a', 'b', 'c', 'd', 'e', 'f']);
  await rows.flush();
  expect(await written()).toEqual({ 'loud/a': 1, 'loud/b': 1, 'loud/c': 1, others: 3 });
});

test('where many tenants wait each has less room, and one for whom there is none is told', async () => {
  const rows = make();
  for (const tenant of ['one', 'two'])
    expect(put(rows, tenant, ['a', 'b', 'c', 'd'])).toEqual([true, true, true, false]);
  for (const tenant of ['three', 'four'])
    expect(put(rows, tenant, ['a', 'b', 'c', 'a'])).toEqual([true, true, false, true]);
  expect(put(rows, 'five', ['a'])).toEqual([false]);
  await rows.flush();
  expect(Object.values(await written()).reduce((sum, count) => sum + count, 0)).toBe(3 + 3 + 3 + 3);
  expect(put(rows, 'five', ['a'])).toEqual([true]);
});

test('the bound holds while the record cannot be written, and nothing counts twice afterwards', async () => {
  const rows = make({ inSum: ({ count }) => ({ key: 'others', row: { key: 'others', count } }) });
  await record.sql`alter table sums rename to sums_away`;
  for (const keys of [
    ['a', 'b'],
    ['a', 'c', 'd'],
    ['e', 'f', 'a'],
  ]) {
    put(rows, 'loud', keys);
    await expect(rows.flush()).rejects.toThrow();
  }
  await record.sql`alter table sums_away rename to sums`;
  await rows.flush();
  expect(await written()).toEqual({ 'loud/a': 3, 'loud/b': 1, 'loud/c': 1, others: 3 });
});
