import path from 'node:path';
import type { Database, RecordStore } from '#server/db/client.ts';
import { createDatabase } from '#server/db/driver.ts';
import { openRecord } from '#server/db/open-record.ts';
import { createLog } from '#server/log.ts';
import { type DatabaseKind, freshDatabase } from './databases.ts';

/** The record's pool with every right: how a test prepares rows or breaks them behind the server's back. */
export const poolOf = (record: Pick<RecordStore, 'sql'>): Database => createDatabase(record.sql);

/** A record of its own on an empty database, for tests that need no server around it. */
export async function openTestRecord(
  kind: DatabaseKind = 'bundled',
): Promise<{ record: RecordStore; url: string; dataDir: string; close(): Promise<void> }> {
  const { settings, cleanup } = await freshDatabase(kind);
  const record = await openRecord({
    settings: { ...settings, storageReserveBytes: 0 },
    migrationsFolder: path.resolve('drizzle'),
    log: createLog('silent'),
  });
  return {
    record,
    url: settings.databaseUrl ?? '',
    dataDir: settings.dataDir,
    async close() {
      await record.close();
      await cleanup();
    },
  };
}
