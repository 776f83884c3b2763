import { pipeline } from 'node:stream/promises';
import type { Sql, TransactionSql } from 'postgres';
import type { Log } from '#server/log.ts';
import type { RecordStore } from './client.ts';
import { createDriver } from './driver.ts';
import { RecordNotOpened } from './record-error.ts';

/** Of two records of one schema, nobody else's for as long as this takes. */
interface CopyParts {
  from: Pick<RecordStore, 'target'>;
  to: Pick<RecordStore, 'target'>;
  log: Log;
  /** Told of each table that was copied. */
  tell: (table: string, rows: number) => void;
}

/** What an engine says of its indexes, which hold for that engine and database alone, and budgets of a minute. */
const notCopied = new Set(['search_indexes', 'index_outbox', 'index_owner', 'rate_windows']);
/** What a server writes of itself where nobody has an account yet: a database with nothing else is empty. */
const ofServers = new Set(['host_series']);
const columnsOfEngines = new Set(['collections.is_indexed_apart']);

/**
 * Copies all tables and sequences in one transaction and compares both records row by row before it commits: afterwards all is there, or nothing.
 * Answers false where all of it was there already. @throws RecordNotOpened where `to` holds something else
 */
export async function copyRecord({ from, to, log, tell }: CopyParts): Promise<boolean> {
  // Connections of their own: those of a record give up what takes longer than a minute.
  const reading = createDriver({ target: from.target, max: 1, log });
  const writing = createDriver({ target: to.target, max: 1, log });
  try {
    return await copyBetween(reading, writing, tell);
  } finally {
    await Promise.all([reading, writing].map((sql) => sql.end({ timeout: 5 })));
  }
}

async function copyBetween(from: Sql, to: Sql, tell: CopyParts['tell']): Promise<boolean> {
  return await from.begin('isolation level repeatable read read only', async (source) => {
    return await to.begin(async (target) => {
      for (const tx of [source, target]) await sayAlike(tx);
      const tables = await readTables(source);
      if (!(await isEmpty(target, tables))) {
        if ((await differing(source, target, tables)).length === 0) return false;
        throw new HoldsAnother();
      }
      for (const table of tables) tell(table.name, await copyTable(source, target, table));
      await copySequences(source, target);
      const different = await differing(source, target, tables);
      if (different.length > 0)
        throw new Error(`The copy differs in ${different.join(', ')}; nothing of it was kept`);
      return true;
    });
  });
}

/** What is to be copied to is not empty, and not the same. */
export class HoldsAnother extends RecordNotOpened {
  constructor() {
    super('The database to copy to holds another record already. Name an empty one; nothing was changed.');
  }
}

interface Table {
  name: string;
  /** In quotes, without generated ones. */
  columns: string[];
  /** What is the same whatever engine is used. */
  compared: string[];
}

/** Values as texts are the same then, whatever the databases' defaults are. */
async function sayAlike(tx: TransactionSql): Promise<void> {
  await tx.unsafe(`set local datestyle = 'ISO, YMD'`);
  await tx.unsafe(`set local intervalstyle = 'postgres'`);
  await tx.unsafe(`set local timezone = 'UTC'`);
  await tx.unsafe(`set local bytea_output = 'hex'`);
  await tx.unsafe('set local statement_timeout = 0');
}

/** Those that others refer to first. */
async function readTables(tx: TransactionSql): Promise<Table[]> {
  const rows = await tx.unsafe(
    `select c.relname as name,
       (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
       (select coalesce(array_agg(distinct r.relname::text), '{}') from pg_constraint f join pg_class r on r.oid = f.confrelid
         where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as refers
     from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by c.relname`,
  );
  const left = rows.filter((row) => !notCopied.has(row['name']));
  const ordered: Table[] = [];
  const isDone = (name: string) => ordered.some((table) => table.name === name);
  while (left.length > 0) {
    const next = left.findIndex((row) => (row['refers'] as string[]).every(isDone));
    const [row] = left.splice(next === -1 ? 0 : next, 1);
    if (next === -1 || !row) throw new Error('tables refer to each other in a circle');
    const name: string = row['name'];
    const columns: string[] = row['columns'];
    const compared = columns.filter((column) => !columnsOfEngines.has(`${name}.${column}`));
    ordered.push({ name, columns: columns.map(quoted), compared: compared.map(quoted) });
  }
  return ordered;
}

const quoted = (name: string) => `"${name}"`;

async function isEmpty(tx: TransactionSql, tables: Table[]): Promise<boolean> {
  for (const { name } of tables) {
    if (ofServers.has(name)) continue;
    const [row] = await tx.unsafe(`select exists (select from ${quoted(name)}) as has_rows`);
    if (row?.['has_rows']) return false;
  }
  return true;
}

/** Triggers tell servers what is new, and note versions; nobody listens, and all is as it was. */
async function copyTable(
  source: TransactionSql,
  target: TransactionSql,
  { name, columns }: Table,
): Promise<number> {
  const place = `${quoted(name)} (${columns.join(', ')})`;
  await target.unsafe(`alter table ${quoted(name)} disable trigger user`);
  if (ofServers.has(name)) await target.unsafe(`delete from ${quoted(name)}`);
  const rows = await source.unsafe(`copy ${place} to stdout`).readable();
  await pipeline(rows, await target.unsafe(`copy ${place} from stdin`).writable());
  // The driver stops reading its socket for what has not been taken, and goes on when more is asked for: at the end nobody would.
  rows._read(0);
  await target.unsafe(`alter table ${quoted(name)} enable trigger user`);
  if (name === 'collections') await target.unsafe('update collections set is_indexed_apart = false');
  const [row] = await target.unsafe(`select count(*) as rows from ${quoted(name)}`);
  return Number(row?.['rows']);
}

async function copySequences(source: TransactionSql, target: TransactionSql): Promise<void> {
  const names = await source.unsafe(
    `select relname as name from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace`,
  );
  for (const { name } of names) {
    const [at] = await source.unsafe(`select last_value, is_called from ${quoted(name)}`);
    await target.unsafe('select setval($1::text::regclass, $2, $3)', [
      quoted(name),
      at?.['last_value'],
      at?.['is_called'],
    ]);
  }
}

/** Tables whose rows are not the same ones. */
async function differing(source: TransactionSql, target: TransactionSql, tables: Table[]): Promise<string[]> {
  const different: string[] = [];
  for (const table of tables)
    if ((await digestOf(source, table)) !== (await digestOf(target, table))) different.push(table.name);
  return different;
}

/** Of all rows, in whatever order: their number, and the sum of 15 hexadecimal digits of each one's SHA-256. */
async function digestOf(tx: TransactionSql, { name, compared }: Table): Promise<string> {
  const hash = `encode(sha256(convert_to(row(${compared.join(', ')})::text, 'UTF8')), 'hex')`;
  const [row] = await tx.unsafe(
    `select count(*)::text || ' ' || coalesce(sum(('x' || left(${hash}, 15))::bit(60)::bigint), 0)::text as digest from ${quoted(name)}`,
  );
  return String(row?.['digest']);
}
