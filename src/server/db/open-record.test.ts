import { afterEach, describe, expect, test } from 'vitest';
import { createLog } from '#server/log.ts';
import { databases, freshDatabase } from '#server/testing/databases.ts';
import type { RecordStore } from './client.ts';
import { openRecord } from './open-record.ts';
import { users } from './schema/accounts.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

describe.each(databases)('the record, %s', (kind) => {
  test('opens', async () => {
    const { settings, cleanup } = await freshDatabase(kind);
    cleanups.push(cleanup);
    const record: RecordStore = await openRecord({
      settings: { ...settings, storageReserveBytes: 0 },
      migrationsFolder: 'drizzle',
      log: createLog('info'),
    });
    cleanups.push(() => record.close());
    await record.ping();
    expect(await record.db.select().from(users)).toEqual([]);
  });
});
