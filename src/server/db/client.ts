import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import type { Sql } from 'postgres';
import type { Servers } from './servers.ts';

type Drizzle = PostgresJsDatabase;

/** What reads are made with: the pool, or a transaction. */
export type ReadDatabase = Pick<Drizzle, 'select' | '$count'>;

/** A transaction, the only handle that writes; `RecordStore.write` opens it. */
export type Database = ReadDatabase &
  Pick<Drizzle, 'insert' | 'update' | 'delete' | 'execute' | 'transaction'>;

export interface WriteOptions {
  /**
   * May use up the storage reserve: what frees space. A ration of it: for what frees none, or less than is written down of it, and goes on
   * all the same, as signing in does, without which nobody could free any.
   * The other half of the check, that the database is this server's, holds for every write.
   */
  mayUseReserve?: boolean | ReserveRation;
}

export interface ReserveRation {
  of: 'exports' | 'deletions' | 'signIns';
  tenant: string;
}

/** Something that callers are known by was changed, by this server or by another: what it is about, `all` for what is not known. */
export interface RecordChange {
  /** `all`: more than is told one by one. `unheard`: it may be that something was changed. */
  kind: 'key' | 'session' | 'member' | 'project' | 'workspace' | 'all' | 'unheard';
  /** A session's is its stored (hashed) id, a member's the user's. */
  id: string;
}

/** An open record: the embedded database or a Postgres server, behind one driver. */
export interface RecordStore {
  readonly mode: 'embedded' | 'server';
  /** Where further connections go. */
  readonly target: { url: string } | { socketPath: string };
  /** Those that share it, and what they do one at a time. */
  readonly servers: Servers;
  /**
   * The same record for the statements of somebody with this name, which take turns with all others' at the connections. What is sent with a record
   * that was not asked for by a name is the server's own.
   */
  as(name: string): RecordStore;
  /** For reads. Inside a transaction its handle is the only one: asking the pool there throws. */
  readonly db: ReadDatabase;
  /**
   * Runs `work` in a transaction, after `assertWritable`. It commits when `work` resolves and rolls back when it rejects.
   * @throws AppError as `assertWritable`, and what `work` throws
   */
  write<T>(work: (db: Database) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** The driver itself, for the few statements that pass large arrays (bulk import); who writes with it calls `assertWritable` first. */
  readonly sql: Sql;
  /** The same for imports: never more than half of the connections, for which it waits as long as for a statement. */
  readonly bulkSql: Sql;
  /**
   * @throws AppError UNAVAILABLE naming storage when free space is below `STORAGE_RESERVE_MB`, or naming the database when it is away
   * or no longer this server's
   */
  assertWritable(options?: WriteOptions): Promise<void>;
  /**
   * Calls back when the database was out of this server's hands for a while and is its own again: another server may have written
   * meanwhile. Before the next write is let through.
   */
  onRegained(listener: () => void): void;
  /** Calls back for what `write` changed, before `write` resolves, and soon after for what others changed. */
  onChange(listener: (change: RecordChange) => void): void;
  /** Calls back for each act soon after its commit; null: some may not have been heard. */
  onAct(listener: (act: HeardAct | null) => void): void;
  /** Tells the other servers of this record what no row says. Whoever does not listen just now hears that something was not heard. */
  tellServers(news: ServerNews): void;
  /** Calls back for what other servers tell; null: something may not have been heard. */
  onNews(listener: (news: ServerNews | null) => void): void;
  /** Whether what other servers change is heard of just now; true of a server that is alone. */
  hears(): boolean;
  /** Of the connections: how many are in use, and how many statements and transactions wait for one. */
  load(): { running: number; waiting: number };
  /** Answers a trivial query within a second, or rejects. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** What happened at one server and concerns the others. */
export interface ServerNews {
  /** `documents`, `imports`: of these collections there is something new; `requests`: to these workspaces. `cancel`: these imports. `moved`: these collections have another model. */
  kind: 'documents' | 'imports' | 'requests' | 'cancel' | 'moved';
  ids: number[];
}

/** What somebody did in a workspace, once it is committed, by whichever process. */
export interface HeardAct {
  workspaceId: number;
  /** The procedure: `collections.create`. */
  action: string;
  /** What it was about. */
  targetId: number | null;
  /** Of the request that did it. */
  requestId: string | null;
}

/** A database that is open and locked for this process, not yet migrated. */
export type OpenedDatabase = Pick<
  RecordStore,
  'mode' | 'target' | 'servers' | 'sql' | 'assertWritable' | 'onRegained' | 'close'
>;
