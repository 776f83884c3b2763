import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from 'postgres';
import type { Log } from '#server/log.ts';
import { applicationName } from '../driver.ts';
import { type KeptConnection, keepConnection } from '../kept-connection.ts';
import { databaseUnavailable, RecordNotOpened } from '../record-error.ts';
import { newServerNumber, onlyServer, type Servers, serversClass } from '../servers.ts';
import { NamedLocks } from './named-locks.ts';

/**
 * One server at a time on a database where the index is in its process, which is only right if nobody else writes; any number of them where a cluster has
 * the indexes. The lock is an advisory one, shared or not, held by a connection of its own for the server's life: Postgres gives it up when this
 * process ends, however it ends.
 */
export interface ServerLock {
  servers: Servers;
  /** @throws AppError UNAVAILABLE while the lock's connection is lost */
  assertHeld(): void;
  /** Calls back after a loss, before the lock counts as held again. */
  onRegained(listener: () => void): void;
  release(): Promise<void>;
}

export interface ServerLockOptions {
  url: string;
  log: Log;
  /** Whether others that say so too may hold it at the same time. */
  isShared: boolean;
  /** Rejects when the server cannot be used at all; asked before the lock. */
  inspect: (sql: Sql) => Promise<void>;
}

/** 'vect' and 'ora1' in ASCII: two numbers nobody else is likely to use. Advisory locks are per database. */
const lockClass = 0x76656374;
const lockObject = 0x6f726131;
const acquireWithinMs = 5_000;
const retryMs = 250;

/** @throws RecordNotOpened when another server holds the lock */
export async function holdServerLock({
  url,
  log,
  isShared,
  inspect,
}: ServerLockOptions): Promise<ServerLock> {
  const listeners: (() => void)[] = [];
  const own = newServerNumber();
  let wasHeld = false;
  const connection = keepConnection({
    target: { url },
    log,
    async establish(sql) {
      await noticeVanished(sql);
      const isOurs = await tryLock(sql, isShared);
      if (isShared) await sql`select pg_advisory_lock(${serversClass}::int, ${own}::int)`;
      if (wasHeld) await locks.regain();
      if (wasHeld && !isOurs) log.error('another server has taken this database over; stop one of the two');
      return isOurs;
    },
    onLost() {
      locks.lose();
      log.error('the connection that holds the database for this server is lost; writes wait for it');
    },
    onRegained() {
      for (const listener of listeners) listener();
      log.warn('the database is held by this server again');
    },
  });
  const locks = new NamedLocks(connection.sql);

  try {
    await inspect(connection.sql);
    if (!(await acquire(connection))) {
      const other = isShared ? 'A Vectora server with SEARCH_ENGINE=embedded' : 'Another Vectora server';
      throw new RecordNotOpened(
        `${other} uses this database (DATABASE_URL). Stop it, or give this one a database of its own.`,
      );
    }
    wasHeld = true;
    // Of others that live, nobody's statements are ended.
    if (!isShared) await endOrphans(connection.sql);
  } catch (error) {
    await connection.close();
    throw error;
  }
  return {
    servers: isShared
      ? {
          own,
          isShared,
          leads: (job) => locks.leads(job),
          agreesOn: (name, number) => locks.agreesOn(name, number),
          alone: (name, task) => locks.alone(name, task),
          isAtWork: (name) => locks.isAtWork(name),
        }
      : onlyServer(),
    assertHeld() {
      if (!connection.isUp()) throw databaseUnavailable();
    },
    onRegained: (listener) => void listeners.push(listener),
    release: () => connection.close(),
  };
}

/** A killed server's connection may need a moment to be noticed by Postgres. */
async function acquire(connection: KeptConnection): Promise<boolean> {
  const end = performance.now() + acquireWithinMs;
  for (;;) {
    if (await connection.open()) return true;
    if (performance.now() >= end) return false;
    await pause(retryMs);
  }
}

/** Seconds until a machine that vanished without a word counts as gone; no effect over a Unix socket. */
async function noticeVanished(sql: Sql): Promise<void> {
  await sql`select set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false), set_config('tcp_keepalives_count', '3', false)`;
}

async function tryLock(sql: Sql, isShared: boolean): Promise<boolean> {
  const take = sql.unsafe(isShared ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock');
  const [row] = await sql`select ${take}(${lockClass}::int, ${lockObject}::int) as held`;
  return row?.['held'] === true;
}

/**
 * Statements of a server that was killed run on in Postgres and may still commit. They are ended and waited for before anything is read:
 * otherwise a version could appear behind this server's back. This server has no other connection yet.
 */
async function endOrphans(sql: Sql): Promise<void> {
  await sql`
    select pg_terminate_backend(pid, ${acquireWithinMs}) from pg_stat_activity
    where datname = current_database() and usename = current_user
      and application_name = ${applicationName} and pid <> pg_backend_pid()`;
}
