import type { RecordStore } from '#server/db/client.ts';

/** While `work` runs, statements that name the table fail. */
export async function withoutTable<T>(
  { sql }: Pick<RecordStore, 'sql'>,
  table: string,
  work: () => Promise<T>,
): Promise<T> {
  const away = `${table}_away`;
  await sql`alter table ${sql(table)} rename to ${sql(away)}`;
  try {
    return await work();
  } finally {
    await sql`alter table ${sql(away)} rename to ${sql(table)}`;
  }
}
