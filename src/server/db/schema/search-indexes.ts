import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { collections } from './collections.ts';
import { moment, reference } from './columns.ts';

/** The index that a collection has in a search cluster. */
export const searchIndexes = pgTable('search_indexes', {
  collectionId: reference()
    .primaryKey()
    .references(() => collections.id, { onDelete: 'cascade' }),
  /** Its name ends in it; each further one has a greater one. */
  generation: bigint({ mode: 'number' }).notNull(),
  /** It holds all that was there when it was made; no: it is being filled, or whoever did that was killed. */
  isReady: boolean().notNull().default(false),
  /** By what its texts were read. */
  analyzer: text().notNull(),
  /** The next search sees all versions up to this one without a refresh. */
  refreshedVersion: bigint({ mode: 'number' }).notNull().default(0),
});

/** Whose the indexes of this record in a search cluster are; it has one row at most. A copy of a database holds the row of the one it is a copy of. */
export const indexOwner = pgTable(
  'index_owner',
  {
    isOnly: boolean().primaryKey().default(true),
    /** Of all that one `initdb` has made; null: this account may not read it. */
    systemIdentifier: text(),
    /** Numbers of the database and of this table, which is another one where a dump was restored over it. */
    oids: text().notNull(),
    /** In the names of its indexes. */
    mark: text().notNull(),
  },
  ({ isOnly }) => [check('index_owner_is_one', sql`${isOnly}`)],
);

/**
 * Versions of collections that are not known to be in their index yet: a trigger notes each in the transaction that writes it, whoever does. What a
 * version wrote stands in `documents` and `deletions`.
 */
export const indexOutbox = pgTable(
  'index_outbox',
  {
    collectionId: reference()
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    version: bigint({ mode: 'number' }).notNull(),
    tries: integer().notNull().default(0),
    /** Before that it is somebody's: first the writer's, who applies it, then that of whoever took it up. */
    dueAt: moment().notNull().default(sql`now() + interval '10 seconds'`),
    /** Why it was given up: what the cluster says of a document that it does not take. */
    fault: text(),
    /** Ids of these documents; null: a release that did not note them gave it up. */
    refused: text().array(),
  },
  (table) => [
    primaryKey({ columns: [table.collectionId, table.version] }),
    index('index_outbox_due').on(table.dueAt).where(sql`fault is null`),
  ],
);
