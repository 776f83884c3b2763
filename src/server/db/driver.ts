import { drizzle } from 'drizzle-orm/postgres-js';
import postgres, { type Sql } from 'postgres';
import type { Log } from '#server/log.ts';
import type { Database, OpenedDatabase } from './client.ts';
import { mendStatements } from './mend-statements.ts';
import { createTransactionGuard } from './transactions.ts';

/** How this server's connections are called in `pg_stat_activity`. */
export const applicationName = 'vectora';

/** What making a connection may take, unless the URL says otherwise (`?connect_timeout=`, as libpq has it). */
const connectSeconds = 5;
/** On this machine a Postgres that is not there is known at once: a slow one waits for a processor. */
const localConnectSeconds = 60;

export interface DriverOptions {
  target: OpenedDatabase['target'];
  max: number;
  log: Log;
  /** For what hangs on one connection: it is not replaced after a while, as those of a pool are, and reads no arrays. */
  lastsForever?: boolean;
  onClose?: () => void;
  onNotify?: ((channel: string, payload: string) => void) | undefined;
}

/** The one driver both databases are spoken to with. Nothing connects before the first statement. */
export function createDriver({ target, max, log, ...given }: DriverOptions): Sql {
  const transactions = createTransactionGuard();
  const options = {
    max,
    ...(given.lastsForever && { max_lifetime: null, fetch_types: false }),
    onnotify: given.onNotify,
    ...connectTimeoutOf(target),
    // A database that comes back is found again within a second.
    backoff: (attempts: number) => Math.min(1, 0.05 * 2 ** attempts),
    onnotice: (notice: postgres.Notice) => log.debug('database notice', { notice: notice['message'] }),
    debug: transactions.sawStatement,
    onclose: (connection: number) => {
      transactions.connectionClosed(connection);
      given.onClose?.();
    },
    // Ids, versions and counts are numbers everywhere in the server; none comes near 2^53.
    types: { bigint: { to: 20, from: [20], serialize: String, parse: Number } },
    connection: { application_name: applicationName },
  };
  const sql: Sql =
    'url' in target
      ? postgres(target.url, options)
      : postgres({ ...options, path: target.socketPath, username: 'postgres', database: 'postgres' });
  return mendStatements(transactions.protect(sql));
}

function connectTimeoutOf(target: DriverOptions['target']): { connect_timeout?: number } {
  if ('socketPath' in target) return { connect_timeout: localConnectSeconds };
  return new URL(target.url).searchParams.has('connect_timeout') ? {} : { connect_timeout: connectSeconds };
}

/**
 * A pool that has connected. Its first connection has asked for the array types, which all that follow know: one that is lost while it asks
 * for them would end the process, since the driver awaits that answer nowhere.
 * @throws what connecting throws
 */
export async function openPool(options: Pick<DriverOptions, 'target' | 'max' | 'log'>): Promise<Sql> {
  const sql = createDriver(options);
  try {
    await sql`select`;
  } catch (error) {
    await sql.end({ timeout: 0 });
    throw error;
  }
  sql.options.fetch_types = false;
  return sql;
}

export function createDatabase(sql: Sql): Database {
  return drizzle(sql, { casing: 'snake_case' });
}
