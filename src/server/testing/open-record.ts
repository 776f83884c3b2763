import path from 'node:path';
import type { RecordStore } from '#server/db/client.ts';
import { openRecord } from '#server/db/open-record.ts';
import { createLog } from '#server/log.ts';
import { type DatabaseKind, freshDatabase } from './databases.ts';

/** A record of its own on an empty database, for tests that need no server around it. */
export async function openTestRecord(
  kind: DatabaseKind,
): Promise<{ record: RecordStore; dataDir: string; close(): Promise<void> }> {
  const { settings, cleanup } = await freshDatabase(kind);
  const record = await openRecord({
    settings: { ...settings, storageReserveBytes: 0 },
    migrationsFolder: path.resolve('drizzle'),
    log: createLog('silent'),
  });
  return {
    record,
    dataDir: settings.dataDir,
    async close() {
      await record.close();
      await cleanup();
    },
  };
}
