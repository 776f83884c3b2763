import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';

/**
 * What the servers of a record have leased of each key's, session's and address's requests a minute, and of questions to models. An unlogged table, which a database that crashed begins
 * empty: the budgets of a minute are whole then.
 */
export const rateWindows = pgTable(
  'rate_windows',
  {
    /** `key 12`, `session …`, `address 192.0.2.1`, `model of account:3`. */
    name: text().primaryKey(),
    /** When the budget will be whole again, unless more is leased: the theoretical arrival time of the generic cell rate algorithm. */
    wholeAt: moment().notNull(),
    /** How many requests whoever asked last was given. */
    leased: integer().notNull(),
  },
  (table) => [index('rate_windows_whole_at').on(table.wholeAt)],
);
