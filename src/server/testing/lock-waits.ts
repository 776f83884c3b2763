import { administer } from './databases.ts';

/**
 * How many statements of this database wait for a lock that another transaction has. Tests beside this one have databases on the same
 * server, of which `pg_locks` tells too.
 * @param like what their text is like, as SQL has it
 */
export async function countLockWaits(url: string, like = '%'): Promise<number> {
  return await administer(url, async (sql) => {
    const rows = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like ${like}`;
    return rows.length;
  });
}
