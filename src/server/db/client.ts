import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import type { Sql } from 'postgres';
import type * as schema from './schema/index.ts';

/** The record, as everything above `db/` sees it; a transaction has the same shape. */
export type Database = Pick<
  PostgresJsDatabase<typeof schema>,
  | 'select'
  | 'selectDistinct'
  | 'insert'
  | 'update'
  | 'delete'
  | 'execute'
  | 'transaction'
  | '$with'
  | 'with'
  | '$count'
>;

/** An open record: the embedded database or a Postgres server, behind one driver. */
export interface RecordStore {
  readonly mode: 'embedded' | 'server';
  readonly db: Database;
  /** The driver itself, for the few statements that pass large arrays (bulk import). */
  readonly sql: Sql;
  /**
   * Every write calls this first.
   * @throws AppError UNAVAILABLE naming storage when free space is below `STORAGE_RESERVE_MB`, or naming the database when it is away
   */
  assertWritable(): Promise<void>;
  /**
   * Calls back when the database was out of this server's hands for a while and is its own again: another server may have written
   * meanwhile. Before the next write is let through.
   */
  onRegained(listener: () => void): void;
  /** Answers a trivial query within a second, or rejects. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
