import { randomBytes } from 'node:crypto';
import type { Sql, TransactionSql } from 'postgres';
import { forgetIndexes } from './index-states.ts';

/** A database, as Postgres tells it from others. */
interface Database {
  /** Of all that one `initdb` has made; null: this account may not read it. */
  systemIdentifier: string | null;
  /** Of one of these; another one of the same name has another. */
  oid: string;
}

/**
 * `first`: no database has claimed indexes by this record. `own`: this one has. `copy`: another one has, of which this is a copy, or which it was restored from: it
 * has no indexes yet, and makes them by other names.
 */
export type Claim = 'first' | 'own' | 'copy';

export const copyNotice =
  'the indexes in the search cluster are of the database that this one is a copy of, or was restored from; each collection gets another one, with the first search or write or by `npm run migrate -- --to opensearch --without-copy`';

/**
 * Before anything is asked of a search cluster: the indexes that this record knows of are this database's. A database that was copied or restored with the record of
 * another would write into that one's indexes, and delete them. `takesOver`: the other one is written to no more, and this one goes on with its indexes.
 */
export async function claimIndexes(sql: Sql, { takesOver = false } = {}): Promise<Claim> {
  const database = await readDatabase(sql);
  return await sql.begin(async (tx): Promise<Claim> => {
    // Servers that start together come one after the other.
    await tx`lock table index_owner in share row exclusive mode`;
    const [owner] = await tx`select system_identifier, database_oid from index_owner`;
    if (!owner) {
      const [known] = await tx`select 1 from search_indexes limit 1`;
      // Indexes of a release that had no owners keep their names.
      await write(tx, database, known ? '' : newMark());
      return 'first';
    }
    if (isSame(database, { systemIdentifier: owner['system_identifier'], oid: owner['database_oid'] }))
      return 'own';
    if (takesOver) {
      await write(tx, database, null);
      return 'own';
    }
    await forgetIndexes(tx);
    await write(tx, database, newMark());
    return 'copy';
  });
}

/** It begins with a letter, as no collection's number does. */
const newMark = () => `c${randomBytes(5).toString('hex')}-`;

/** `mark`: null: as it is. */
async function write(
  tx: TransactionSql,
  { systemIdentifier, oid }: Database,
  mark: string | null,
): Promise<void> {
  await tx`
    insert into index_owner as own (system_identifier, database_oid, mark) values (${systemIdentifier}, ${oid}, ${mark ?? ''})
    on conflict (is_only) do update set system_identifier = excluded.system_identifier, database_oid = excluded.database_oid,
      mark = coalesce(${mark}, own.mark)`;
}

const isSame = (one: Database, other: Database) =>
  one.oid === other.oid &&
  (one.systemIdentifier === null ||
    other.systemIdentifier === null ||
    one.systemIdentifier === other.systemIdentifier);

async function readDatabase(sql: Sql): Promise<Database> {
  const [row] = await sql`select oid::text from pg_database where datname = current_database()`;
  return { oid: String(row?.['oid']), systemIdentifier: await readSystem(sql) };
}

async function readSystem(sql: Sql): Promise<string | null> {
  const [may] = await sql`select has_function_privilege('pg_control_system()', 'execute') as may`;
  if (may?.['may'] !== true) return null;
  const [row] = await sql`select system_identifier::text from pg_control_system()`;
  return row?.['system_identifier'] ?? null;
}
