import { type SQL, sql } from 'drizzle-orm';
import { users } from '#server/db/schema/accounts.ts';

/** The full name, else the username, as the console calls people. */
export const personName: SQL<string | null> = sql<
  string | null
>`coalesce(nullif(concat_ws(' ', nullif(${users.firstName}, ''),
  nullif(${users.lastName}, '')), ''), ${users.username})`;
