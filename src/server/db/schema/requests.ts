import {
  bigint,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
} from 'drizzle-orm/pg-core';
import { replayStates, requestTypes, requestWays } from '#shared/request-kinds.ts';
import { moment, reference } from './columns.ts';
import { workspaces } from './workspaces.ts';

/** The last requests to each workspace; written in batches, bounded by count and age. Nothing here says which person asked. */
export const requests = pgTable(
  'requests',
  {
    workspaceId: reference()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    /** The order in which they were answered: microseconds since 1970, made different. */
    place: bigint({ mode: 'number' }).notNull(),
    requestId: text().notNull(),
    createdAt: moment().notNull(),
    /** The procedure. */
    operation: text().notNull(),
    type: text({ enum: requestTypes }).notNull(),
    way: text({ enum: requestWays }).notNull(),
    /** No reference: what a key asked outlives it, with the name that it had. */
    keyId: reference(),
    keyName: text(),
    collectionId: reference(),
    collectionName: text(),
    status: smallint().notNull(),
    tookMs: doublePrecision().notNull(),
    found: bigint({ mode: 'number' }),
    words: text(),
    errorCode: text(),
    errorMessage: text(),
    /** JSON as text: jsonb takes neither U+0000 nor half a surrogate pair, which queries may have. */
    input: text(),
    answer: text(),
    replay: text({ enum: replayStates }).notNull(),
    leftOut: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.place] }),
    index('requests_created').on(table.createdAt),
  ],
);
