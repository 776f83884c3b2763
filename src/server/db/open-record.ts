import type { Settings } from '#server/env.ts';
import type { Log } from '#server/log.ts';
import { watchChanges } from './changes.ts';
import type { RecordStore } from './client.ts';
import { closeAll } from './close-all.ts';
import { createDatabase, keepArrayTypes } from './driver.ts';
import { type EmbeddedMachine, openEmbedded } from './embedded/open-embedded.ts';
import { migrateRecord } from './migrations.ts';
import { openServer } from './server/open-server.ts';
import { within } from './within.ts';

export interface OpenRecordOptions {
  settings: Pick<Settings, 'dataDir' | 'databaseUrl' | 'storageReserveBytes'>;
  /** The generated migrations (`drizzle/`). */
  migrationsFolder: string;
  log: Log;
  clock?: () => Date;
  /** Tests choose what a platform chooses otherwise. */
  machine?: EmbeddedMachine;
}

const pingWithinMs = 1_000;

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
    keepArrayTypes(opened.sql);
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
      ping: async () => void (await within(pingWithinMs, opened.sql`select 1`)),
      close: () => closeAll([changes.close, opened.close]),
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}
