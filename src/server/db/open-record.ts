import type { Sql } from 'postgres';
import type { Settings } from '#server/env.ts';
import type { Log } from '#server/log.ts';
import { watchChanges } from './changes.ts';
import type { RecordStore } from './client.ts';
import { createDatabase } from './driver.ts';
import { type EmbeddedMachine, openEmbedded } from './embedded/open-embedded.ts';
import { migrateRecord } from './migrations.ts';
import { databaseUnavailable } from './record-error.ts';
import { openServer } from './server/open-server.ts';

export interface OpenRecordOptions {
  settings: Pick<Settings, 'dataDir' | 'databaseUrl' | 'storageReserveBytes'>;
  /** The generated migrations (`drizzle/`). */
  migrationsFolder: string;
  log: Log;
  clock?: () => Date;
  /** Tests choose what a platform chooses otherwise. */
  machine?: EmbeddedMachine;
}

/**
 * Opens the record for this process alone and brings it to this version's schema.
 * @throws RecordRefused, to be printed as it is: another process holds it, the server is unreachable or older than 15, or a newer version wrote it
 */
export async function openRecord(options: OpenRecordOptions): Promise<RecordStore> {
  const { settings, log, clock = () => new Date() } = options;
  const opened =
    settings.databaseUrl === null
      ? await openEmbedded({ ...options, ...settings, log, clock })
      : await openServer(settings.databaseUrl, log);
  try {
    await migrateRecord(opened.sql, options.migrationsFolder);
    const db = createDatabase(opened.sql);
    const changes = await watchChanges({ db, target: opened.target, log });
    return {
      ...opened,
      db,
      async write(work, options) {
        await opened.assertWritable(options);
        return await changes.write(work);
      },
      onChange: changes.onChange,
      ping: () => ping(opened.sql),
      async close() {
        await changes.close();
        await opened.close();
      },
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

const pingWithinMs = 1_000;

async function ping(sql: Sql): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(databaseUnavailable()), pingWithinMs);
  });
  try {
    await Promise.race([sql`select 1`, late]);
  } finally {
    clearTimeout(timer);
  }
}
