import type { RecordStore } from '#server/db/client.ts';

/** Counted of callers, whether they are answered or refused. */
const counted = [
  'usage_counters',
  'key_counters',
  'monthly_requests',
  'rate_windows',
  'audit_entries',
  'search_days',
  'search_queries',
  'request_series',
  'host_series',
  'search_minutes',
  'requests',
];
/** When they were here last. */
const lastTimes = ['last_used_at', 'last_seen_at'];

/** What every table says, in a line each that is another one when any row is: all but how often callers came, and when. */
export async function digestRecord({ sql }: RecordStore): Promise<Record<string, string>> {
  const { tables, timed } = await tablesOf(sql);
  const without = lastTimes.map((name) => sql` - ${name}::text`);
  // As JSON a row takes three times as long.
  const textOf = (name: string) => (timed.has(name) ? sql`(to_jsonb(t)${without})::text` : sql`t::text`);
  const digestOf = (name: string, i: number) => sql`
    ${i === 0 ? sql`` : sql`union all`}
    select ${name} as name, concat(count(*), ' rows: ', sum(hashtextextended(${textOf(name)}, 0))) as digest
    from ${sql(name)} t`;
  const digests = await sql<{ name: string; digest: string }[]>`
    ${tables.filter((name) => !counted.includes(name)).map(digestOf)}`;
  return Object.fromEntries(digests.map(({ name, digest }) => [name, digest]));
}

/** To ask for them takes longer than to read what they say. */
const known = new WeakMap<RecordStore['sql'], Promise<{ tables: string[]; timed: Set<string> }>>();

function tablesOf(sql: RecordStore['sql']): Promise<{ tables: string[]; timed: Set<string> }> {
  const asked = known.get(sql);
  if (asked) return asked;
  const found = Promise.all([namesOfTables(sql), tablesWith(sql, lastTimes)]).then(([tables, timed]) => ({
    tables,
    timed: new Set(timed),
  }));
  known.set(sql, found);
  found.catch(() => known.delete(sql));
  return found;
}

/** Every row of every table as JSON text, a table a line: what somebody who steals a backup reads. */
export async function dumpRecord({ sql }: RecordStore): Promise<string> {
  const tables = await namesOfTables(sql);
  const rowsOf = (name: string, i: number) => sql`
    ${i === 0 ? sql`` : sql`union all`}
    select ${name} as name, coalesce(jsonb_agg(to_jsonb(t) order by to_jsonb(t)::text), '[]') as rows
    from ${sql(name)} t`;
  const dumped = await sql<{ name: string; rows: unknown[] }[]>`
    ${tables.map(rowsOf)} order by name`;
  return dumped.map(({ name, rows }) => `${name}: ${JSON.stringify(rows)}`).join('\n');
}

async function namesOfTables(sql: RecordStore['sql']): Promise<string[]> {
  const tables = await sql<
    { name: string }[]
  >`select tablename as name from pg_tables where schemaname = 'public' order by 1`;
  return tables.map(({ name }) => name);
}

async function tablesWith(sql: RecordStore['sql'], columns: string[]): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select distinct table_name as name from information_schema.columns
    where table_schema = 'public' and column_name in ${sql(columns)}`;
  return tables.map(({ name }) => name);
}
