import type { Sql } from 'postgres';
import type { Log } from '#server/log.ts';
import type { OpenedDatabase } from '../client.ts';
import { closeAll } from '../close-all.ts';
import { openPool } from '../driver.ts';
import { RecordNotOpened, toRecordError } from '../record-error.ts';
import { holdServerLock } from './server-lock.ts';

const versionMin = 150_000;
const connectionsMax = 10;

/**
 * `isShared`: for several servers, which all say so.
 * @throws RecordNotOpened when the server is unreachable, refuses us, is older than 15, or another Vectora server uses the database
 */
export async function openServer(url: string, log: Log, { isShared = false } = {}): Promise<OpenedDatabase> {
  const lock = await holdServerLock({ url, log, isShared, inspect: (sql) => assertVersion(sql, url) });
  const target = { url };
  let sql: Sql;
  try {
    sql = await openPool({ target, max: connectionsMax, log });
  } catch (error) {
    await lock.release();
    throw notUsable(url, error);
  }
  return {
    mode: 'server',
    target,
    sql,
    servers: lock.servers,
    assertWritable: async () => lock.assertHeld(),
    onRegained: lock.onRegained,
    close: () => closeAll([() => sql.end({ timeout: 5 }), lock.release]),
  };
}

async function assertVersion(sql: Sql, url: string): Promise<void> {
  let version: number;
  try {
    const [row] = await sql<
      { version: number }[]
    >`select current_setting('server_version_num')::int as version`;
    version = row?.version ?? 0;
  } catch (error) {
    throw notUsable(url, error);
  }
  if (version < versionMin) {
    throw new RecordNotOpened(
      `The Postgres server at ${new URL(url).host} (DATABASE_URL) is version ${Math.floor(version / 10_000)}; Vectora needs 15 or newer.`,
    );
  }
}

function notUsable(url: string, error: unknown): RecordNotOpened {
  const { host, pathname } = new URL(url);
  const isAway = toRecordError(error) !== null;
  const reason = error instanceof Error ? error.message : String(error);
  return new RecordNotOpened(
    isAway
      ? `The Postgres server at ${host} (DATABASE_URL) does not answer: ${reason}`
      : `The database ${pathname.slice(1)} at ${host} (DATABASE_URL) cannot be used: ${reason}`,
    { cause: error },
  );
}
