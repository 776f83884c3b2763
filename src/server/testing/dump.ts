import type { RecordStore } from '#server/db/client.ts';

/** Every row of every table as JSON text, a table a line: what somebody who steals a backup reads. */
export async function dumpRecord(record: RecordStore): Promise<string> {
  const { sql } = record;
  const tables = await sql<
    { name: string }[]
  >`select tablename as name from pg_tables where schemaname = 'public' order by 1`;
  const lines: string[] = [];
  for (const { name } of tables) {
    const rows = await sql<
      { row: unknown }[]
    >`select to_jsonb(t) as row from ${sql(name)} t order by to_jsonb(t)::text`;
    lines.push(`${name}: ${JSON.stringify(rows.map(({ row }) => row))}`);
  }
  return lines.join('\n');
}
