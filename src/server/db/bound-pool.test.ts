import type { Sql } from 'postgres';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#server/log.ts';
import { administer, databases, freshDatabase } from '#server/testing/databases.ts';
import { boundPool } from './bound-pool.ts';
import { createDriver } from './driver.ts';
import { SilenceWatch, type WaitLimits } from './silence-watch.ts';

const log = createLog('silent');
/** Looked at every tenth of a second; nothing is given up in the time of a test. */
const patient: WaitLimits = { waitMs: 1_200, statementMs: 3_600_000 };

describe.each(databases)('a pool of two connections, %s', (kind) => {
  let url: string;
  let sql: Sql;
  let bulk: Sql;
  let watch: SilenceWatch;
  const cleanups: (() => Promise<unknown>)[] = [];
  beforeEach(async () => {
    const { settings, cleanup } = await freshDatabase(kind, { isEmpty: true });
    url = settings.databaseUrl ?? '';
    cleanups.push(cleanup);
  });
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  function open(limits: WaitLimits, pulse: () => Promise<unknown> = async () => undefined): void {
    const driver = createDriver({ target: { url }, max: 2, log });
    cleanups.push(() => driver.end({ timeout: 5 }));
    watch = new SilenceWatch(limits, log);
    watch.start(pulse);
    ({ sql, bulk } = boundPool(driver, watch)('somebody'));
  }

  const endless = () => sql`select pg_sleep(3600)`.then(codeOf, codeOf);
  const woken = new Set<string>();
  /** Ends the statements that sleep, each once: a second signal may come when its connection is at the next one. */
  const wake = () =>
    administer(url, async (other) => {
      const asleep = await other`select pid, pid || ' ' || query_start as statement from pg_stat_activity
        where wait_event = 'PgSleep' and datname = current_database()`;
      for (const { pid, statement } of asleep.filter((row) => !woken.has(row['statement']))) {
        woken.add(statement);
        await other`select pg_cancel_backend(${pid})`;
      }
    });
  const sleeping = () =>
    administer(
      url,
      (other) =>
        other`select 1 from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`,
    );

  test('who gets no connection in time is sent away, and what it asked is never done', async () => {
    open(patient);
    await sql`create table t (n int)`;
    const holders = [endless(), endless()];
    await expect.poll(sleeping).toHaveLength(2);
    const late = [sql`insert into t values (1)`, sql.begin((tx) => tx`insert into t values (2)`)];
    const codes = await Promise.all(late.map((one) => one.then(codeOf, codeOf)));
    expect(codes).toEqual(['POOL_BUSY', 'POOL_BUSY']);
    expect(await sleeping()).toHaveLength(2);
    await wake();
    expect(await Promise.all(holders)).toEqual(['57014', '57014']);
    expect(await sql`select n from t`).toEqual([]);
  });

  test('bulk statements leave half of the connections to others, and wait longer than they', async () => {
    open(patient);
    await sql`create table t (n int)`;
    const bulky = [1, 2, 3].map((n) => bulk`insert into t select ${n}::int from pg_sleep(3600)`);
    const first = bulky.map((one) => one.then(codeOf, codeOf));
    await expect.poll(sleeping).toHaveLength(1);
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
    const holder = endless();
    await expect.poll(sleeping).toHaveLength(2);
    // Both connections are taken: who has no time is sent away, who has waited longer waits on.
    const patientOne = bulk`insert into t values (4)`.then(codeOf, codeOf);
    expect(await sql`insert into t values (5)`.then(codeOf, codeOf)).toBe('POOL_BUSY');
    for (const one of first) {
      await expect.poll(sleeping).not.toHaveLength(0);
      await wake();
      expect(await Promise.all([one, holder])).toEqual(['57014', '57014']);
    }
    expect(await patientOne).toBe('fine');
    expect(await sql`select n from t`).toEqual([{ n: 4 }]);
  });

  test('nobody waits behind the statement of another one while a connection is free', async () => {
    open({ ...patient, waitMs: 3_600_000 });
    const holder = endless();
    const numbers = Array.from({ length: 50 }, (_, n) => n);
    const rows = await Promise.all(numbers.map((n) => sql`select ${n}::int as n`));
    expect(rows.map(([row]) => row?.['n'])).toEqual(numbers);
    // Its connection may be made after all that was asked for on the other one.
    await expect.poll(sleeping).toHaveLength(1);
    await wake();
    expect(await holder).toBe('57014');
  });

  test('statements and transactions all have their turn, however they end', async () => {
    open({ ...patient, waitMs: 3_600_000 });
    const begun: number[] = [];
    const turn = async (n: number) => {
      const work = sql.begin(async (tx) => {
        begun.push(n);
        await tx.unsafe(n % 3 === 0 ? 'select 1/0' : 'select 1');
        if (n % 3 === 1) throw new Error('given up');
      });
      await work.catch(() => undefined);
    };
    const numbers = Array.from({ length: 60 }, (_, n) => n);
    const asides = numbers.map((n) => sql`select 1/${n % 2}::int`.catch(() => undefined));
    await Promise.all([...numbers.map(turn), ...asides]);
    expect(begun.toSorted((a, b) => a - b)).toEqual(numbers);
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  });

  test('a statement that takes too long ends for who asked, and keeps its connection until it ends', async () => {
    open({ ...patient, statementMs: 100 });
    expect(await endless()).toBe('STATEMENT_TOO_LONG');
    const inside = sql.begin(async (tx) => await tx`select pg_sleep(3600)`).then(codeOf, codeOf);
    expect(await inside).toBe('STATEMENT_TOO_LONG');
    await expect.poll(sleeping).not.toHaveLength(0);
    await expect.poll(() => wake().then(sleeping)).toHaveLength(0);
    await expect.poll(() => wake().then(() => sql`select 1`.then(codeOf, codeOf))).toBe('fine');
  });

  test('a transaction that works by itself between its statements is not hurried', async () => {
    const limits = { ...patient };
    open(limits);
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    // As long as a statement may take that was begun later.
    const later = begun.then(endless);
    const done = sql.begin(async (tx) => {
      await tx`select 1`;
      // Only while the transaction sends nothing: on a busy machine its own statements may take as long.
      limits.statementMs = 200;
      begin();
      expect(await later).toBe('STATEMENT_TOO_LONG');
      limits.statementMs = patient.statementMs;
      return 'done';
    });
    expect(await done).toBe('done');
    await wake();
  });

  test('a database that says nothing: all who wait are sent away, later ones at once, until it says something', async () => {
    open(patient, () => new Promise(() => undefined));
    let settled = 0;
    watch.onSettled(() => {
      settled += 1;
    });
    const holders = [endless(), endless()];
    await expect.poll(sleeping).toHaveLength(2);
    const waiting = [
      ...holders,
      sql`select 1`.then(codeOf, codeOf),
      sql.begin(() => 'never').then(codeOf, codeOf),
    ];
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['DATABASE_SILENT']));
    expect(watch.isSilent).toBe(true);
    expect(await sql`select 1`.then(codeOf, codeOf)).toBe('DATABASE_SILENT');
    expect(settled).toBe(0);
    await wake();
    await expect.poll(() => settled).toBe(1);
    expect(watch.isSilent).toBe(false);
    expect(await sql`select 1`.then(codeOf, codeOf)).toBe('fine');
  });
});

function codeOf(outcome: unknown): string {
  if (!(outcome instanceof Error)) return 'fine';
  return 'code' in outcome ? String(outcome.code) : outcome.message;
}
