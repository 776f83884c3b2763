import { sql } from 'drizzle-orm';
import {
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { MeasuredChange, QueryFigures } from '#shared/judgements.ts';
import { searchModes } from '#shared/search.ts';
import { apiKeys } from './api-keys.ts';
import { collections } from './collections.ts';
import { id, moment, reference } from './columns.ts';

const ofCollection = () =>
  reference()
    .notNull()
    .references(() => collections.id, { onDelete: 'cascade' });

/** How well documents answer queries, as people have said. No foreign key to documents: one that was replaced or comes later is judged all the same. */
export const judgements = pgTable(
  'judgements',
  {
    id: id(),
    collectionId: ofCollection(),
    query: text().notNull(),
    documentId: text().notNull(),
    grade: smallint().notNull(),
    judgedAt: moment().notNull(),
    /** Who said so: a person or a key. No foreign key to accounts, as of events. */
    judgedByUser: reference(),
    judgedByKey: reference().references(() => apiKeys.id, { onDelete: 'set null' }),
  },
  (table) => [
    index('judgements_key').on(table.judgedByKey),
    uniqueIndex('judgements_document').on(table.collectionId, table.query, table.documentId),
    check('judgements_grade', sql`grade between 0 and 3`),
  ],
);

/** How well the judged queries found what is relevant, each time it was measured: the last times. */
export const relevanceMeasures = pgTable(
  'relevance_measures',
  {
    id: id(),
    collectionId: ofCollection(),
    measuredAt: moment().notNull(),
    mode: text({ enum: searchModes }).notNull(),
    reason: text(),
    changes: jsonb().$type<MeasuredChange[]>().notNull(),
    queries: integer().notNull(),
    ndcg: doublePrecision().notNull(),
    hitRate: doublePrecision().notNull(),
    mrr: doublePrecision().notNull(),
    /** Query by query; null: a newer measure of the mode has it. */
    results: jsonb().$type<QueryFigures[]>(),
  },
  (table) => [
    index('relevance_measures_collection').on(table.collectionId, table.id),
    check(
      'relevance_measures_shares',
      sql`ndcg between 0 and 1 and hit_rate between 0 and 1 and mrr between 0 and 1`,
    ),
  ],
);
