import { AsyncLocalStorage } from 'node:async_hooks';
import type { Settings } from '#server/env.ts';
import type { Log } from '#server/log.ts';
import { RecentMap } from '#server/memory/recent-map.ts';
import { within } from '#server/within.ts';
import { boundPool } from './bound-pool.ts';
import { sendNews, watchChanges } from './changes.ts';
import type { RecordStore, ServerNews } from './client.ts';
import { closeAll } from './close-all.ts';
import { ConnectionTurns } from './connection-turns.ts';
import { createDatabase } from './driver.ts';
import { type EmbeddedMachine, openEmbedded } from './embedded/open-embedded.ts';
import { migrateRecord } from './migrations.ts';
import { databaseUnavailable } from './record-error.ts';
import { openServer } from './server/open-server.ts';
import { SilenceWatch, type WaitLimits } from './silence-watch.ts';

export interface OpenRecordOptions {
  settings: Pick<Settings, 'dataDir' | 'databaseUrl' | 'storageReserveBytes'> & {
    /** With one, servers share a database. */
    openSearch?: Settings['openSearch'];
  };
  /** The generated migrations (`drizzle/`). */
  migrationsFolder: string;
  log: Log;
  /** How long may be waited for the database; unless told, a minute. */
  waits?: WaitLimits;
  clock?: () => Date;
  /** An embedded record is opened too where it goes on elsewhere. */
  evenMoved?: boolean;
  /** Tests choose what a platform chooses otherwise. */
  machine?: EmbeddedMachine;
}

const pingWithinMs = 1_000;
/** Of those who asked last. */
const namesMax = 1_000;
const unlessTold: WaitLimits = { waitMs: 60_000, statementMs: 60_000 };

/**
 * Opens the record for this process, alone unless a cluster has the indexes, and brings it to this version's schema.
 * @throws RecordNotOpened, to be printed as it is: another process holds it, the server is unreachable or older than 15, or a newer version wrote it
 */
export async function openRecord(options: OpenRecordOptions): Promise<RecordStore> {
  const { settings, log, clock = () => new Date() } = options;
  const opened =
    settings.databaseUrl === null
      ? await openEmbedded({ ...options, ...settings, log, clock })
      : await openServer(settings.databaseUrl, log, { isShared: Boolean(settings.openSearch) });
  try {
    await opened.servers.alone('migrations', () => migrateRecord(opened.sql, options.migrationsFolder));
    const watch = new SilenceWatch(options.waits ?? unlessTold, log);
    const turns = new ConnectionTurns(opened.sql.options.max);
    const poolOf = boundPool(opened.sql, watch, turns);
    const { own, isShared } = opened.servers;
    const changes = await watchChanges({ target: opened.target, own, log });
    watch.start(changes.pulse);
    const assertWritable: RecordStore['assertWritable'] = async (given) => {
      if (watch.isSilent) throw databaseUnavailable();
      await opened.assertWritable(given);
    };
    /** Of whatever transaction it is told in. */
    const outside = AsyncLocalStorage.snapshot();
    const tell = (news: ServerNews) => {
      sendNews(poolOf('server').sql, own, news).catch((error: unknown) =>
        log.debug('other servers could not be told', { error }),
      );
    };
    const named = new RecentMap<RecordStore>({ entriesMax: namesMax });
    /** Kept by name: to make one takes longer than most requests need it for. */
    const as = (name: string): RecordStore => {
      const known = named.get(name);
      if (known) return known;
      const made = make(name);
      named.set(name, made);
      return made;
    };
    const make = (name: string): RecordStore => {
      const { sql, bulk } = poolOf(name);
      const db = createDatabase(sql);
      return {
        ...opened,
        as,
        sql,
        bulkSql: bulk,
        db,
        assertWritable,
        async write(work, given) {
          await assertWritable(given);
          return await changes.write(db, work);
        },
        onRegained(listener) {
          opened.onRegained(listener);
          watch.onSettled(listener);
        },
        onChange: changes.onChange,
        onAct: changes.onAct,
        onNews: changes.onNews,
        tellServers(news) {
          if (isShared && news.ids.length > 0) outside(() => tell(news));
        },
        hears: () => !isShared || changes.hears(),
        load: () => turns.load,
        ping: async () => void (await within(sql`select 1`, pingWithinMs, databaseUnavailable)),
        close: () => closeAll([changes.close, opened.close]),
      };
    };
    return as('server');
  } catch (error) {
    await opened.close();
    throw error;
  }
}
