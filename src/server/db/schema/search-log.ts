import {
  bigint,
  date,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
} from 'drizzle-orm/pg-core';
import { eventTypes } from '#shared/analytics.ts';
import { searchModes } from '#shared/search.ts';
import { collections } from './collections.ts';
import { reference } from './columns.ts';

/** What is searched for and what comes of it, by collection and day (UTC); never by whom. Written in batches, kept for 90 days. */

const ofCollection = () =>
  reference()
    .notNull()
    .references(() => collections.id, { onDelete: 'cascade' });
const count = () => integer().notNull().default(0);

/** The sums of a day, also of queries that `search_queries` has dropped. */
export const searchDays = pgTable(
  'search_days',
  {
    collectionId: ofCollection(),
    day: date().notNull(),
    searches: count(),
    withoutResults: count(),
    /** Milliseconds of all searches. */
    tookMs: doublePrecision().notNull().default(0),
    clicks: count(),
    /** Searches with a click, and with a conversion. */
    clicked: count(),
    conversions: count(),
    converted: count(),
    /** Rows of that day in `search_queries` and in `search_events`: both are bounded. */
    queries: count(),
    events: count(),
  },
  (table) => [
    primaryKey({ columns: [table.collectionId, table.day] }),
    index('search_days_day').on(table.day),
  ],
);

/** The queries of a day: the most frequent ones, once there are too many. */
export const searchQueries = pgTable(
  'search_queries',
  {
    collectionId: ofCollection(),
    day: date().notNull(),
    mode: text({ enum: searchModes }).notNull(),
    /** A hash of the query. */
    key: bigint({ mode: 'number' }).notNull(),
    /** Folded, or its beginning. Null: it is not known, as where a search that was typed over is clicked. */
    query: text(),
    searches: count(),
    withoutResults: count(),
    /** Documents found by all searches. */
    found: bigint({ mode: 'number' }).notNull().default(0),
    clicks: count(),
    clicked: count(),
    /** Positions of all clicks. */
    positions: bigint({ mode: 'number' }).notNull().default(0),
    conversions: count(),
    converted: count(),
  },
  (table) => [
    primaryKey({ columns: [table.collectionId, table.day, table.mode, table.key] }),
    index('search_queries_day').on(table.day),
  ],
);

/** Clicks of a day by the hit's place in the list; the last place stands for all behind it. */
export const clickPositions = pgTable(
  'click_positions',
  { collectionId: ofCollection(), day: date().notNull(), position: smallint().notNull(), clicks: count() },
  (table) => [
    primaryKey({ columns: [table.collectionId, table.day, table.position] }),
    index('click_positions_day').on(table.day),
  ],
);

/** What was told of a search, so that it counts once; kept for as long as it can be told again. */
export const searchEvents = pgTable(
  'search_events',
  {
    collectionId: ofCollection(),
    /** A random number of the search. */
    search: bigint({ mode: 'number' }).notNull(),
    type: text({ enum: eventTypes }).notNull(),
    /** A hash of the document's id. */
    document: bigint({ mode: 'number' }).notNull(),
    /** The id, and the hash of the query: what was chosen for what. Null: it was told before they were kept. */
    documentId: text(),
    queryKey: bigint({ mode: 'number' }),
    /** The search's. */
    day: date().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.collectionId, table.search, table.type, table.document] }),
    index('search_events_day').on(table.day),
  ],
);
