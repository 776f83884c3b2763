import { eq, sql as text } from 'drizzle-orm';
import type { Sql } from 'postgres';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#server/log.ts';
import { freshDatabase } from '#server/testing/databases.ts';
import { createDatabase, createDriver } from './driver.ts';
import { users } from './schema/accounts.ts';

/** Sends rows until it divides by zero; small enough to come in one packet, large enough that rows have been sent. */
const failingAmidRows = 'select 1 / (5 - n) as x from generate_series(1, $1::int) n';

describe('statements on one connection', () => {
  let sql: Sql;
  let cleanup: () => Promise<void>;
  beforeEach(async () => {
    const fresh = await freshDatabase('bundled');
    cleanup = fresh.cleanup;
    sql = createDriver({
      target: { url: fresh.settings.databaseUrl ?? '' },
      max: 1,
      log: createLog('silent'),
    });
  });
  afterEach(async () => {
    await sql.end({ timeout: 5 });
    await cleanup();
  });

  const fails = () => expect(sql.unsafe(failingAmidRows, [10])).rejects.toThrow('division by zero');
  const three = [{ n: 1 }, { n: 2 }, { n: 3 }];

  test('after one that failed amid its rows, the next result is whole', async () => {
    await fails();
    expect(await sql`select n from generate_series(1, 3) n`).toEqual(three);
    await fails();
    expect(await sql.unsafe('select n from generate_series(1, 3) n')).toEqual(three);
    await fails();
    expect(await sql.unsafe('select n from generate_series(1, $1::int) n', [3])).toEqual(three);
    await fails();
    expect(await sql.unsafe('select n from generate_series(1, $1::int) n', [3]).values()).toEqual([
      [1],
      [2],
      [3],
    ]);
    await fails();
    const several = await sql.unsafe('select n from generate_series(1, 3) n; select 4 as m');
    expect(several).toEqual([three, [{ m: 4 }]]);
  });

  test('results that were asked for before it failed are whole too', async () => {
    const failing = fails();
    const next = Promise.all([
      sql`select n from generate_series(1, 3) n`,
      sql`select n from generate_series(1, 3) n`,
    ]);
    await failing;
    expect(await next).toEqual([three, three]);
  });

  test('the query builder finds the row that is there', async () => {
    const db = createDatabase(sql);
    await fails();
    const found = await db.select({ n: text<number>`n` }).from(text`generate_series(1, 3) n`);
    expect(found).toEqual(three);
    await fails();
    const [one] = await db.execute(text`select 7 as n`);
    expect(one).toEqual({ n: 7 });
  });

  test('an empty result after it stays empty', async () => {
    await fails();
    expect(await sql`select n from generate_series(1, 0) n`).toEqual([]);
  });

  test('what the query builder sends again and again is prepared, in transactions too', async () => {
    const db = createDatabase(sql);
    const preparedTexts = async () => {
      const rows = await sql.unsafe('select statement from pg_prepared_statements');
      return rows.filter((row) => row['statement'].includes('from "users"')).length;
    };
    const read = (handle: Pick<typeof db, 'select'>, id: number) =>
      handle.select({ id: users.id }).from(users).where(eq(users.id, id));
    await read(db, 1);
    await read(db, 2);
    expect(await preparedTexts()).toBe(0);
    await db.transaction((tx) => read(tx, 3));
    expect(await preparedTexts()).toBe(1);
    await read(db, 4);
    expect(await preparedTexts()).toBe(1);
  });

  test('what asks to be prepared is, at its first use', async () => {
    await sql.unsafe('select $1::int as asked', [1], { prepare: true });
    const rows = await sql.unsafe('select statement from pg_prepared_statements');
    expect(rows.map((row) => row['statement'])).toContain('select $1::int as asked');
  });

  test('what comes again in transactions within transactions is prepared', async () => {
    const db = createDatabase(sql);
    const isPrepared = async () => {
      const rows = await sql.unsafe('select statement from pg_prepared_statements');
      return rows.some((row) => row['statement'].includes('generate_series'));
    };
    const read = (handle: Pick<typeof db, 'execute'>) =>
      handle.execute(text`select n from generate_series(1, ${3}::int) n`);
    for (let times = 1; times <= 2; times++) await db.transaction((tx) => tx.transaction(read));
    expect(await isPrepared()).toBe(false);
    await db.transaction((tx) => tx.transaction(read));
    expect(await isPrepared()).toBe(true);
  });
});
