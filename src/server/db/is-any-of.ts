import { type SQL, sql } from 'drizzle-orm';
import { makePgArray, type PgColumn } from 'drizzle-orm/pg-core';

/**
 * That a column is one of the values. The list is one parameter, so that lists of all lengths share one statement: `inArray` makes a
 * text for each length, which would soon be all that are prepared.
 */
export function isAnyOf<C extends PgColumn>(column: C, values: readonly C['_']['data'][]): SQL {
  return sql`${column} = any(${makePgArray([...values])})`;
}
