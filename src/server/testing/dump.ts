import type { RecordStore } from '#server/db/client.ts';

/** Every row of every table as JSON text, a table a line: what somebody who steals a backup reads. */
export async function dumpRecord({ sql }: RecordStore): Promise<string> {
  const tables = await sql<
    { name: string }[]
  >`select tablename as name from pg_tables where schemaname = 'public' order by 1`;
  const rowsOf = ({ name }: { name: string }, i: number) => sql`
    ${i === 0 ? sql`` : sql`union all`}
    select ${name} as name, coalesce(jsonb_agg(to_jsonb(t) order by to_jsonb(t)::text), '[]') as rows
    from ${sql(name)} t`;
  const dumped = await sql<{ name: string; rows: unknown[] }[]>`${tables.map(rowsOf)}`;
  return dumped.map(({ name, rows }) => `${name}: ${JSON.stringify(rows)}`).join('\n');
}
