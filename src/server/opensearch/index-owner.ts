import { randomBytes } from 'node:crypto';
import postgres, { type Sql, type TransactionSql } from 'postgres';
import { SettingsError } from '#server/settings-error.ts';
import { forgetIndexes } from './index-states.ts';

/** A database, as Postgres tells it from others. */
interface Database {
  /** Of all that one `initdb` has made; null: this account may not read it. */
  systemIdentifier: string | null;
  /** Numbers of the database and of its table `index_owner`: of another one of the same name, or one that a dump was restored over, they are others. */
  oids: string;
}

/** What becomes of indexes that are another database's: this one goes on with them, or makes its own. */
type Given = 'keep' | 'new' | undefined;

/** `own`: the indexes that the record knows of are this database's; `kept`: from now on; `new`: it has none, and makes them by names of its own. */
export type Claim = 'own' | 'kept' | 'new';

/**
 * Before anything is asked of a search cluster: the indexes that this record knows of are this database's. A database that was copied or restored with the record of
 * another would write into that one's indexes, and delete them. `given`: what its operator says of it. @throws IndexesOfAnother where that is nothing
 */
export async function claimIndexes(sql: Sql, given: Given): Promise<Claim> {
  const database = await readDatabase(sql);
  return await sql.begin(async (tx): Promise<Claim> => {
    // Servers that start together come one after the other.
    await tx`lock table index_owner in share row exclusive mode`;
    const [owner] = await tx`select system_identifier, oids from index_owner`;
    if (!owner) {
      const [known] = await tx`select 1 from search_indexes limit 1`;
      // Servers of a release that had no owners may go on beside this one, by the names that they know.
      await write(tx, database, known ? '' : newMark());
      return 'own';
    }
    const known = { systemIdentifier: owner['system_identifier'], oids: owner['oids'] };
    if (isSame(database, known)) {
      const isLearnt = known.systemIdentifier === null && database.systemIdentifier !== null;
      if (isLearnt) await write(tx, database, null);
      return 'own';
    }
    if (given === undefined) throw new IndexesOfAnother();
    await (given === 'keep' ? write(tx, database, null) : drawMark(tx, database));
    return given === 'keep' ? 'kept' : 'new';
  });
}

/** Whatever Postgres says: where its files were copied, or have lost what the cluster was told of. */
export async function disownIndexes(sql: Sql): Promise<void> {
  const database = await readDatabase(sql);
  await sql.begin((tx) => drawMark(tx, database));
}

async function drawMark(tx: TransactionSql, database: Database): Promise<void> {
  await forgetIndexes(tx);
  await write(tx, database, newMark());
}

/** Its operator alone can tell what is meant. */
export class IndexesOfAnother extends SettingsError {
  constructor() {
    super(
      'The indexes in the search cluster are of another database, which this one is a copy of, was restored from, or has taken the place of. OPENSEARCH_INDEXES=new gives each collection an index of its own, which is made with its first search or write, or by `npm run migrate -- --to opensearch --without-copy`; OPENSEARCH_INDEXES=keep goes on with those that are there, where nothing else writes to them any more, as after pg_upgrade.',
    );
  }
}

/** It begins with a letter, as no collection's number does. */
const newMark = () => `c${randomBytes(5).toString('hex')}-`;

/** `mark`: null: as it is. */
async function write(
  tx: TransactionSql,
  { systemIdentifier, oids }: Database,
  mark: string | null,
): Promise<void> {
  await tx`
    insert into index_owner as own (system_identifier, oids, mark) values (${systemIdentifier}, ${oids}, ${mark ?? ''})
    on conflict (is_only) do update set system_identifier = excluded.system_identifier, oids = excluded.oids,
      mark = coalesce(${mark}, own.mark)`;
}

const isSame = (one: Database, other: Database) =>
  one.oids === other.oids &&
  (one.systemIdentifier === null ||
    other.systemIdentifier === null ||
    one.systemIdentifier === other.systemIdentifier);

async function readDatabase(sql: Sql): Promise<Database> {
  const [row] = await sql`
    select oid || '/' || 'index_owner'::regclass::oid as oids from pg_database where datname = current_database()`;
  return { oids: String(row?.['oids']), systemIdentifier: await readSystem(sql) };
}

/** Not every account may, and not every service lets anybody. */
async function readSystem(sql: Sql): Promise<string | null> {
  try {
    const [row] = await sql`select system_identifier::text from pg_control_system()`;
    return row?.['system_identifier'] ?? null;
  } catch (error) {
    if (isRefused(error)) return null;
    throw error;
  }
}

/** By Postgres' words of classes 0A (not supported), 42 (no such function, no right) and 55. */
const isRefused = (error: unknown) =>
  error instanceof postgres.PostgresError && /^(0A|42|55)/.test(error.code);
