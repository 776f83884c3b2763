import { sql } from 'drizzle-orm';
import { doublePrecision, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { collections } from './collections.ts';
import { moment, reference } from './columns.ts';
import { workspaces } from './workspaces.ts';

/**
 * Figures over time. What is measured is added to the row of its minute; rows of minutes become a row of their hour after two days, those of hours one of their day
 * after two weeks. Each figure is in one row at a time, so a sum over all rows since some moment is right whatever they have become.
 */
const grains = ['minute', 'hour', 'day'] as const;

const count = () => integer().notNull().default(0);
const sum = () => doublePrecision().notNull().default(0);

/** API requests of a workspace; written in batches, never in a request's way. */
export const requestSeries = pgTable(
  'request_series',
  {
    workspaceId: reference()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    grain: text({ enum: grains }).notNull(),
    /** When the minute, hour or day begins, in UTC. */
    at: moment().notNull(),
    requests: count(),
    clientErrors: count(),
    serverErrors: count(),
    /** Response times by bucket. */
    latencies: integer().array().notNull().default(sql`'{}'`),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.at, table.grain] }),
    index('request_series_grain').on(table.grain, table.at),
  ],
);

/** What a server's machine was busy with, and that it ran. */
export const hostSeries = pgTable(
  'host_series',
  {
    server: text().notNull(),
    grain: text({ enum: grains }).notNull(),
    at: moment().notNull(),
    /** The first minute in it that is known of. */
    firstAt: moment().notNull(),
    /** Minutes in which it ran. */
    minutesUp: count(),
    /** How often it was measured; what follows are the sums of all, shares from 0 to 1. */
    samples: count(),
    /** Of these, with a processor's share. */
    cpuSamples: count(),
    cpu: sum(),
    memory: sum(),
    disk: sum(),
    apiConnections: sum(),
    liveConnections: sum(),
  },
  (table) => [
    primaryKey({ columns: [table.server, table.at, table.grain] }),
    index('host_series_grain').on(table.grain, table.at),
  ],
);

/** Searches of a collection by minute; kept for two hours. */
export const searchMinutes = pgTable(
  'search_minutes',
  {
    collectionId: reference()
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    at: moment().notNull(),
    searches: count(),
  },
  (table) => [
    primaryKey({ columns: [table.collectionId, table.at] }),
    index('search_minutes_at').on(table.at),
  ],
);
