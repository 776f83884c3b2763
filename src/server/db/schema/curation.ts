import { jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { collections } from './collections.ts';
import { createdAt, reference, updatedAt } from './columns.ts';

export const synonyms = pgTable(
  'synonyms',
  {
    collectionId: reference()
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    id: text().notNull(),
    /** Absent root: every word finds all the others. */
    root: text(),
    words: text().array().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [primaryKey({ columns: [table.collectionId, table.id] })],
);

export const overrides = pgTable(
  'overrides',
  {
    collectionId: reference()
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    id: text().notNull(),
    /** `{query, match: exact | contains}`. */
    rule: jsonb().$type<{ query: string; match: 'exact' | 'contains' }>().notNull(),
    /** Includes, excludes, filter_by, sort_by, replace_query. */
    effect: jsonb().$type<Record<string, unknown>>().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [primaryKey({ columns: [table.collectionId, table.id] })],
);
