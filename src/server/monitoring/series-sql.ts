import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

/** Pieces of the statements about series. */

/** In which step of so many milliseconds a moment lies: when that begins, in ms since 1970. */
export function stepOf(at: PgColumn, stepMs: number): SQL {
  // In the text, as the same expression has to stand in `group by`.
  const step = sql.raw(String(Math.round(stepMs)));
  return sql`(floor(extract(epoch from ${at}) * 1000 / ${step}) * ${step})::bigint`;
}

/** Two arrays of counts, place by place. */
export function addedArrays(a: SQL, b: SQL): SQL {
  return sql`coalesce((
    select array_agg(coalesce(one, 0) + coalesce(other, 0) order by place)
    from unnest(${a}, ${b}) with ordinality as counts (one, other, place)), '{}')`;
}
