import { EventEmitter, once } from 'node:events';
import type { Sql, TransactionSql } from 'postgres';
import { afterEach, describe, expect, test } from 'vitest';
import { createLog } from '#server/log.ts';
import { administer, databases, freshDatabase } from '#server/testing/databases.ts';
import { applicationName, createDriver } from '../driver.ts';
import { RecordNotOpened, toRecordError } from '../record-error.ts';
import { openServer } from './open-server.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});
const log = createLog('silent');

test('a server that does not answer is named in the refusal, its password is not', async () => {
  const opening = openServer('postgres://user:hidden@127.0.0.1:1/x', log);
  await expect(opening).rejects.toThrow(RecordNotOpened);
  await expect(opening).rejects.toThrow('The Postgres server at 127.0.0.1:1 (DATABASE_URL) does not answer');
  await expect(opening).rejects.not.toThrow('hidden');
});

describe.each(databases)('a Postgres server, %s', (kind) => {
  async function freshUrl(): Promise<string> {
    const { settings, cleanup } = await freshDatabase(kind, { isEmpty: true });
    cleanups.push(cleanup);
    return settings.databaseUrl ?? '';
  }

  test('a database that does not exist is named in the refusal', async () => {
    const url = new URL(await freshUrl());
    url.pathname += '_not';
    const opening = openServer(url.href, log);
    await expect(opening).rejects.toThrow(RecordNotOpened);
    await expect(opening).rejects.toThrow('cannot be used: database');
  });

  test('its connections ask for nothing when they are made: one that is lost meanwhile could end the process', async () => {
    const opened = await openServer(await freshUrl(), log);
    cleanups.push(() => opened.close());
    expect(opened.sql.options.fetch_types).toBe(false);
  });

  test('writes wait while the connection that holds the lock is lost, and go on once it is back', async () => {
    const url = await freshUrl();
    const opened = await openServer(url, log);
    cleanups.push(() => opened.close());
    let regained = 0;
    opened.onRegained(() => {
      regained += 1;
    });
    await opened.assertWritable();
    const [lock] = await administer(url, async (sql) => advisoryLocks(sql));
    if (!lock) throw new Error('the server holds no lock');
    await administer(url, async (rival) => {
      // It waits for the lock before the server loses it, so Postgres hands it over at once and the server cannot take it back.
      const taken = rival`select pg_advisory_lock(${lock.class}::int, ${lock.object}::int)`.execute();
      await administer(url, async (sql) => {
        await expect.poll(async () => (await advisoryLocks(sql)).length).toBe(2);
        await sql`select pg_terminate_backend(${lock.pid})`;
      });
      await taken;
      await expect.poll(() => outcome(opened.assertWritable())).toBe('UNAVAILABLE');
      // What frees room or lets somebody in may use the reserve, and needs the lock all the same.
      for (const mayUseReserve of [true, { of: 'signIns', tenant: 'user 1' }] as const)
        expect(await outcome(opened.assertWritable({ mayUseReserve }))).toBe('UNAVAILABLE');
      expect(regained).toBe(0);
    });
    await expect.poll(() => outcome(opened.assertWritable())).toBe('fine');
    expect(regained).toBeGreaterThan(0);
    await expect(openServer(url, log)).rejects.toThrow('Another Vectora server');
  });

  test('a transaction whose connection is lost ends whole: nothing of it is kept, and nothing it does next either', async () => {
    const url = await freshUrl();
    await administer(url, (sql) => sql`create table t (n int)`);
    const opened = await openServer(url, log);
    cleanups.push(() => opened.close());
    let bodyEnded: Promise<unknown> = Promise.resolve();
    const body = async (tx: TransactionSql) => {
      await tx`insert into t values (1)`;
      await endConnection(url, tx);
      // Others take the connection made in place of the lost one.
      await Promise.all(Array.from({ length: 20 }, () => opened.sql`select pg_sleep(0.05)`));
      return await tx`insert into t values (2)`;
    };
    const losing = opened.sql.begin((tx) => {
      const ending = body(tx);
      bodyEnded = ending.catch((error) => error.code);
      return ending;
    });
    expect(await losing.catch(toRecordError)).toMatchObject({ code: 'UNAVAILABLE' });
    expect(await bodyEnded).toBe('CONNECTION_CLOSED');
    expect(await opened.sql`select n from t`).toEqual([]);
    await opened.sql.begin((tx) => tx.savepoint((inner) => inner`insert into t values (4)`));
    expect(await opened.sql`select n from t`).toEqual([{ n: 4 }]);
  });

  test('one that does nothing more after the loss does not count as committed', async () => {
    const url = await freshUrl();
    await administer(url, (sql) => sql`create table t (n int)`);
    const opened = await openServer(url, log);
    cleanups.push(() => opened.close());
    const losing = opened.sql.begin(async (tx) => {
      await tx`insert into t values (1)`;
      await endConnection(url, tx);
      await Promise.all(Array.from({ length: 20 }, () => opened.sql`select pg_sleep(0.05)`));
      return 'all is well';
    });
    expect(await losing.catch(toRecordError)).toMatchObject({ code: 'UNAVAILABLE' });
    expect(await opened.sql`select n from t`).toEqual([]);
  });

  test('one that gives up after the loss does not roll back whoever has the connection made in its place', async () => {
    const url = await freshUrl();
    await administer(url, (sql) => sql`create table t (n int)`);
    const opened = await openServer(url, log);
    cleanups.push(() => opened.close());
    const connections = 10;
    const steps = new EventEmitter();
    const [lost, allBegun, over] = ['lost', 'all begun', 'over'].map((step) => once(steps, step));
    let begun = 0;
    const other = (n: number) =>
      opened.sql.begin(async (tx) => {
        await tx`insert into t values (${n})`;
        if (++begun === connections) steps.emit('all begun');
        await over;
      });
    const others = (async () => {
      await lost;
      await Promise.all(Array.from({ length: connections }, (_, n) => other(n)));
    })();
    const giveUp = async (tx: TransactionSql) => {
      await endConnection(url, tx);
      steps.emit('lost');
      await allBegun;
      throw new Error('given up');
    };
    let bodyEnded: Promise<unknown> = Promise.resolve();
    const losing = opened.sql.begin((tx) => {
      const ending = giveUp(tx);
      bodyEnded = ending.catch((error) => error.message);
      return ending;
    });
    expect(await losing.catch(toRecordError)).toMatchObject({ code: 'UNAVAILABLE' });
    expect(await bodyEnded).toBe('given up');
    await administer(url, (sql) => sql`select 1`);
    steps.emit('over');
    await others;
    expect(await opened.sql`select count(*) as rows from t`).toEqual([{ rows: connections }]);
  });

  test('statements of a server that was killed are ended before the next one reads', async () => {
    const url = await freshUrl();
    await administer(url, (sql) => sql`create table t (n int)`);
    const orphan = createDriver({ target: { url }, max: 1, log });
    cleanups.push(() => orphan.end({ timeout: 0 }));
    const late =
      orphan`with waited as materialized (select pg_sleep(600)) insert into t select 1 from waited`.catch(
        (error: { code: string }) => error.code,
      );
    const running = () =>
      administer(
        url,
        (sql) => sql`
        select 1 from pg_stat_activity where application_name = ${applicationName}
          and datname = current_database() and state = 'active'`,
      );
    await expect.poll(async () => (await running()).length).toBe(1);
    const opened = await openServer(url, log);
    cleanups.push(() => opened.close());
    expect(['57P01', 'CONNECTION_CLOSED']).toContain(await late);
    expect(await opened.sql`select * from t`).toEqual([]);
  });

  test('connections of other programs are left alone', async () => {
    const url = await freshUrl();
    await administer(url, async (other) => {
      const pidOf = async () => (await other`select pg_backend_pid() as pid`)[0]?.['pid'];
      const before = await pidOf();
      const opened = await openServer(url, log);
      cleanups.push(() => opened.close());
      expect(await pidOf()).toBe(before);
    });
  });
});

/** As when the network breaks in the middle of a transaction. */
async function endConnection(url: string, tx: TransactionSql): Promise<void> {
  const [own] = await tx`select pg_backend_pid() as pid`;
  await administer(url, (sql) => sql`select pg_terminate_backend(${own?.['pid']}, 60000)`);
}

/** Who holds or waits for an advisory lock of this database. */
function advisoryLocks(sql: Sql) {
  return sql<{ pid: number; class: number; object: number }[]>`
    select pid, classid::int as class, objid::int as object from pg_locks
    where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`;
}

function outcome(promise: Promise<void>): Promise<string> {
  return promise.then(
    () => 'fine',
    (error) => error.code,
  );
}
