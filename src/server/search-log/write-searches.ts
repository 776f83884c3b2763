import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '#server/db/client.ts';
import { collections } from '#server/db/schema/collections.ts';
import { searchDays, searchQueries } from '#server/db/schema/search-log.ts';
import { limits } from '#shared/limits.ts';
import type { SearchMode } from '#shared/search.ts';

/** Searches for one query on one day. */
export interface QueryCount {
  collectionId: number;
  /** YYYY-MM-DD, in UTC. */
  day: string;
  mode: SearchMode;
  key: number;
  /** Null: several that there was no room for. */
  query: string | null;
  searches: number;
  withoutResults: number;
  found: number;
  tookMs: number;
}

/** Batches that are written at the same time would wait for each other's rows in a ring. */
const lockNumber = 5_201_847;

/** In a transaction: others who write what is searched wait for its end. */
export async function takeWritersTurn(db: Database): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(${lockNumber}::bigint)`);
}

/**
 * Adds to the counts in one statement, and drops the rarest queries of days that have too many. Collections deleted meanwhile drop out. Of one that changes
 * hands there may be rows of two tenants for the same query.
 */
export async function writeSearches(db: Database, rows: QueryCount[]): Promise<void> {
  const days = await db.execute<{ id: string; day: string; queries: number }>(
    sql`with told as (
          select * from json_to_recordset(${JSON.stringify(rows)}::text::json) as told (
            "collectionId" bigint, day date, mode text, key bigint, query text,
            searches integer, "withoutResults" integer, found bigint, "tookMs" double precision)
        ),
          living as (${livingAmong(sql`select "collectionId" from told`)}),
          added as (
        select "collectionId", day, mode, key, max(query) as query, sum(searches) as searches,
          sum("withoutResults") as "withoutResults", sum(found) as found, sum("tookMs") as "tookMs"
        from told where "collectionId" in (select id from living) group by 1, 2, 3, 4
        ),
          counted as (
        insert into ${searchQueries} as q (collection_id, day, mode, key, query, searches, without_results, found)
        select "collectionId", day, mode, key, query, searches, "withoutResults", found from added order by 1, 2, 3, 4
        on conflict (collection_id, day, mode, key) do update set
          query = coalesce(excluded.query, q.query), searches = q.searches + excluded.searches,
          without_results = q.without_results + excluded.without_results, found = q.found + excluded.found
        returning collection_id, day, (xmax = 0) as is_new
        ),
          fresh as (select collection_id, day, count(*) filter (where is_new) as queries from counted group by 1, 2),
          sums as (
        select "collectionId" as collection_id, day, sum(searches) as searches,
          sum("withoutResults") as without_results, sum("tookMs") as took_ms
        from added group by 1, 2
        )
        insert into ${searchDays} as d (collection_id, day, searches, without_results, took_ms, queries)
        select collection_id, day, searches, without_results, took_ms, queries
        from sums join fresh using (collection_id, day) order by 1, 2
        on conflict (collection_id, day) do update set
          searches = d.searches + excluded.searches, without_results = d.without_results + excluded.without_results,
          took_ms = d.took_ms + excluded.took_ms, queries = d.queries + excluded.queries
        returning collection_id::text as id, day::text as day, queries`,
  );
  for (const { id, day, queries } of days)
    if (queries > 2 * limits.countedQueriesMax) await dropRarest(db, Number(id), day);
}

/** The collections among these that are not deleted, kept until the transaction's end. */
export function livingAmong(ids: SQL): SQL {
  return sql`select id from ${collections} where id in (${ids}) and deleted_at is null order by id for key share`;
}

/** Without a name first, as nobody is told of them. */
async function dropRarest(db: Database, collectionId: number, day: string): Promise<void> {
  await db.execute(
    sql`with ranked as (
          select mode, key, row_number() over (
            order by (query is null), searches desc, clicks desc, query collate "C", mode, key) as place
          from ${searchQueries} where collection_id = ${collectionId} and day = ${day}::date
        ),
          dropped as (
        delete from ${searchQueries} as q using ranked
        where q.collection_id = ${collectionId} and q.day = ${day}::date and q.mode = ranked.mode
          and q.key = ranked.key and ranked.place > ${limits.countedQueriesMax}
        returning 1
        )
        update ${searchDays} set queries = queries - (select count(*) from dropped)
        where collection_id = ${collectionId} and day = ${day}::date`,
  );
}
