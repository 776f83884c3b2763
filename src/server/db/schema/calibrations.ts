import { sql } from 'drizzle-orm';
import { check, doublePrecision, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { Calibration } from '#shared/calibrations.ts';
import { searchModes } from '#shared/search.ts';
import type { SearchSettings } from '#shared/search-settings.ts';
import { collections } from './collections.ts';
import { moment, reference } from './columns.ts';

/** How the relevance of a collection's hits is told from their scores, by the mode of the search. A change is one of the collection's rules (`rules.ts`). */
export const calibrations = pgTable(
  'calibrations',
  {
    collectionId: reference()
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    mode: text({ enum: searchModes }).notNull(),
    fittedAt: moment().notNull(),
    weights: jsonb().$type<Calibration['weights']>().notNull(),
    unjudged: text().$type<Calibration['unjudged']>().notNull(),
    queries: integer().notNull(),
    pairs: integer().notNull(),
    relevant: integer().notNull(),
    calibrationError: doublePrecision().notNull(),
    brier: doublePrecision().notNull(),
    // What it was fitted under: when that changes it is told to be stale.
    /** Those that acted: what was saved over the defaults of the release, with every constant of the ranking. */
    settings: jsonb().$type<SearchSettings>().notNull(),
    /** Of the collection's vectors. */
    model: text().notNull(),
    /** Of the documents, those whose vectors the transformer or a service had made, 0 to 1. */
    upgradedShare: doublePrecision().notNull().default(0),
    /** Judgements that the collection had. */
    judgements: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.collectionId, table.mode] }),
    check('calibrations_errors', sql`calibration_error between 0 and 1 and brier between 0 and 1`),
  ],
);
