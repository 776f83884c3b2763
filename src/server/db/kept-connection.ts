import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from 'postgres';
import type { Log } from '#server/log.ts';
import { createDriver, type DriverOptions } from './driver.ts';

/**
 * One connection outside the pool that lasts as long as the server, for what hangs on it in Postgres: a lock, a subscription. When it is
 * lost, another is opened and `establish` runs on it, again and again until it answers true.
 */
export interface KeptConnection {
  readonly sql: Sql;
  /** Runs `establish` for the first time; its failure is the caller's. */
  open(): Promise<boolean>;
  /** Whether what was established still stands. */
  isUp(): boolean;
  close(): Promise<void>;
}

export interface KeptConnectionOptions {
  target: DriverOptions['target'];
  log: Log;
  establish: (sql: Sql) => Promise<boolean>;
  onLost: () => void;
  /** After a loss, before the connection counts as up. */
  onRegained: () => void;
  onNotify?: DriverOptions['onNotify'];
}

const retryMs = 1_000;

export function keepConnection(options: KeptConnectionOptions): KeptConnection {
  const { target, log, establish, onNotify } = options;
  let isUp = false;
  let regaining: Promise<void> | null = null;
  const closing = new AbortController();
  const sql = createDriver({ target, max: 1, log, lastsForever: true, onNotify, onClose: lost });

  function lost(): void {
    if (!isUp || closing.signal.aborted) return;
    isUp = false;
    options.onLost();
    regaining = regain();
  }

  async function regain(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        if (await establish(sql)) {
          options.onRegained();
          isUp = true;
          return;
        }
      } catch (error) {
        log.debug('a connection that was lost is not back yet', { error });
      }
      await pause(retryMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  return {
    sql,
    async open() {
      isUp = await establish(sql);
      return isUp;
    },
    isUp: () => isUp,
    async close() {
      closing.abort();
      await regaining;
      await sql.end({ timeout: 2 });
    },
  };
}
