import { sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { importStates, writeActions } from '#shared/documents.ts';
import { collections } from './collections.ts';
import { bytea, createdAt, id, moment, reference, updatedAt } from './columns.ts';

/** Uploads of rows, how far they are, and what a repeated one must know. Kept for a day. */
export const imports = pgTable(
  'imports',
  {
    id: id(),
    collectionId: reference()
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    /** The caller's, by which a repeated upload is known; null: it is not. */
    key: text(),
    action: text({ enum: writeActions }).notNull(),
    /** SHA-256 of what says how the rows are read. */
    request: bytea().notNull(),
    state: text({ enum: importStates }).notNull(),
    /** So many rows from the first are settled: with a key, written in the transaction that wrote them. */
    rows: bigint({ mode: 'number' }).notNull().default(0),
    succeeded: bigint({ mode: 'number' }).notNull().default(0),
    failed: bigint({ mode: 'number' }).notNull().default(0),
    /** With a key: of these rows, each hashed with what came before it. */
    digest: bytea(),
    /** Why it ended before its end. */
    error: text(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    endedAt: moment(),
    /** The server that it came to; null: one of a version that did not say. */
    server: integer(),
  },
  (table) => [
    uniqueIndex('imports_key').on(table.collectionId, table.key).where(sql`key is not null`),
    index('imports_collection').on(table.collectionId, table.id),
    index('imports_updated').on(table.updatedAt),
  ],
);

/** A row, and what the documents that were there made of it. */
export type StoredFault = [row: number, code: string, message: string];

/** Rows of an import with a key that failed for what was stored then, some at a time: their upload alone does not tell it again. */
export const importFaults = pgTable(
  'import_faults',
  {
    importId: reference()
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    /** The first of them. */
    row: bigint({ mode: 'number' }).notNull(),
    faults: jsonb().$type<StoredFault[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.row] })],
);
