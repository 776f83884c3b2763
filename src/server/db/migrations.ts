import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import type { Sql } from 'postgres';
import { RecordNotOpened } from './record-error.ts';

/**
 * Brings an empty or older record up to this version's schema. The caller sees to it that nobody else migrates it.
 * @throws RecordNotOpened when the record holds a migration this version does not know: a newer version wrote it
 */
export async function migrateRecord(sql: Sql, migrationsFolder: string): Promise<void> {
  const known = new Set(readMigrationFiles({ migrationsFolder }).map((migration) => migration.folderMillis));
  const unknown = (await appliedMigrations(sql)).filter((moment) => !known.has(moment));
  if (unknown.length > 0) {
    throw new RecordNotOpened(
      'This data was written by a newer version of Vectora, or by one this version does not know. Start the version that wrote it, or a newer one; nothing was changed.',
    );
  }
  await migrate(drizzle(sql), { migrationsFolder });
}

/** When the migrations that were applied were made (ms since 1970), which is how drizzle tells them apart; none for a new record. */
async function appliedMigrations(sql: Sql): Promise<number[]> {
  const [table] = await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as present`;
  if (!table?.['present']) return [];
  const rows = await sql<{ created_at: number }[]>`select created_at from drizzle.__drizzle_migrations`;
  return rows.map((row) => Number(row.created_at));
}
