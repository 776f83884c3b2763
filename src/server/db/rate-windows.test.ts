import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LeasedRateLimit } from '#server/admission/leased-rate-limit.ts';
import { takeOrReject } from '#server/admission/rate-limit.ts';
import { createLog } from '#server/log.ts';
import { outlived } from '#server/rpc/deletion/purge.ts';
import { type FreshDatabase, freshDatabase } from '#server/testing/databases.ts';
import type { RecordStore } from './client.ts';
import { openRecord } from './open-record.ts';
import { RateWindows } from './rate-windows.ts';
import { rateWindows } from './schema/rate-windows.ts';

/** Two servers on one Postgres; what fills up is a token a minute. */
const burst = 400;
const closers: (() => Promise<unknown>)[] = [];
let database: FreshDatabase;
beforeEach(async () => {
  database = await freshDatabase('bundled');
  closers.push(database.cleanup);
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Seconds, but for those that a test takes. */
const isAbout = (seconds: number, expected: number) => seconds <= expected && seconds > expected - 30;

/** Statements of the windows that a record is sent. */
function watchLeases({ sql }: RecordStore): () => number {
  let count = 0;
  sql.options.debug = (_connection, text) => {
    if (text.includes('rate_windows')) count += 1;
  };
  return () => count;
}

async function open({ perMinute = 1 } = {}) {
  const record = await openRecord({
    settings: { ...database.settings, storageReserveBytes: 0, openSearch: { nodes: [] } },
    migrationsFolder: 'drizzle',
    log: createLog('silent'),
  });
  closers.push(() => record.close());
  const lines: string[] = [];
  const log = createLog('warn', (line) => lines.push(line));
  const { leasing } = new RateWindows({ record, log, waitMs: 60_000 });
  const limit = new LeasedRateLimit({ perMinute, burst, what: 'requests' }, leasing('key'));
  const take = (name = 'a', count = 1) => takeOrReject(limit, name, count);
  return {
    record,
    limit,
    take,
    lines,
    statements: watchLeases(record),
    /** How many of so many that come at once get through. */
    async through(tries: number, name = 'a'): Promise<number> {
      const all = await Promise.all(Array.from({ length: tries }, () => take(name)));
      return all.filter((rejection) => rejection === null).length;
    },
  };
}

const openTwo = async (given?: { perMinute: number }) => [await open(given), await open(given)] as const;

test('exactly as many get through two servers as are allowed, with few statements', async () => {
  const [one, two] = await openTwo();
  const passed = await Promise.all([one.through(600), two.through(600)]);
  expect(passed[0] + passed[1]).toBe(burst);
  const statements = one.statements() + two.statements();
  expect(statements).toBeLessThan(60);
  for (const { take, through, limit } of [one, two]) {
    expect(await take()).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      message: expect.stringMatching(/^Too many requests; try again in [3-6]\d s$/),
    });
    const { remaining, moreInSeconds } = limit.budgetOf('a');
    expect([remaining, isAbout(moreInSeconds, 60)]).toEqual([0, true]);
    expect(await through(5_000)).toBe(0);
    expect(await take('b')).toBeNull();
  }
  expect(one.statements() + two.statements()).toBe(statements + 2);
});

test('one after the other in turns, a request costs a small part of a statement', async () => {
  const [one, two] = await openTwo();
  for (let i = 0; i < 150; i += 1) expect([await one.take(), await two.take()]).toEqual([null, null]);
  expect(one.statements() + two.statements()).toBeLessThan(20);
});

test('a server that is gone has taken no more than an eighth', async () => {
  const [one, two] = await openTwo();
  expect(await one.take()).toBeNull();
  await one.record.close();
  expect(await two.through(600)).toBe(burst - burst / 8);
});

test('several at once are had or none of them', async () => {
  const [one, two] = await openTwo();
  expect(await one.take('a', 390)).toBeNull();
  const waitOf = async (server: typeof one, count: number) =>
    (await server.take('a', count))?.retryAfterSeconds ?? 0;
  expect(isAbout(await waitOf(two, 11), 60)).toBe(true);
  expect(await two.take('a', 10)).toBeNull();
  expect(isAbout(await waitOf(one, 10_000), 390 * 60)).toBe(true);
});

test('what fills up is for all', async () => {
  const perMinute = 6_000;
  const [one, two] = await openTwo({ perMinute });
  const startedAt = performance.now();
  let passed = 0;
  while (performance.now() - startedAt < 1_500) {
    passed += (await one.through(20)) + (await two.through(20));
    // Answers of the record come in.
    await turn();
  }
  const filled = ((performance.now() - startedAt) * perMinute) / 60_000;
  expect(passed).toBeLessThanOrEqual(burst + filled + 1);
  // Of a quarter of a second, and of the last lease, that of the other one too.
  expect(passed).toBeGreaterThan(burst + filled - 100);
  expect(one.statements() + two.statements()).toBeLessThan(60);
});

test('while the record is away each counts by itself, says so once, and asks again later', async () => {
  const one = await open();
  expect(await one.through(10)).toBe(10);
  await one.record.sql`alter table rate_windows rename to away`;
  expect(await one.through(600)).toBe(390);
  expect([one.lines.length, await one.through(600, 'b')]).toEqual([1, burst]);
  await one.record.sql`alter table away rename to rate_windows`;
  const before = one.statements();
  const isAsked = async () => [await one.take('c'), one.statements() > before + 1];
  await expect.poll(isAsked, { timeout: 10_000 }).toEqual([null, true]);
  expect(one.lines).toHaveLength(1);
});

test('many names are asked for together, no more than so many a minute, and go when they are whole', async () => {
  const one = await open({ perMinute: 6_000 });
  const names = Array.from({ length: 21_000 }, (_, i) => `n${i}`);
  const all = await Promise.all(names.map((name) => one.take(name)));
  expect(all.filter((rejection) => rejection !== null)).toEqual([]);
  expect(one.statements()).toBeLessThan(60);
  const rows = async () => Number((await one.record.sql`select count(*) from rate_windows`)[0]?.['count']);
  expect(await rows()).toBe(20_000);
  const doomed = outlived({ now: new Date(), before: new Date(), auditKeepDays: 1 }).find(
    ({ table }) => table === rateWindows,
  );
  await one.record.sql`update rate_windows set whole_at = now() + interval '1 hour' where name = 'key n7'`;
  await one.record.sql`update rate_windows set whole_at = now() where name <> 'key n7'`;
  await one.record.write(async (db) => {
    if (doomed) await db.delete(doomed.table).where(doomed.where);
  });
  expect(await rows()).toBe(1);
});
