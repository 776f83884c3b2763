import { sql } from 'drizzle-orm';
import type { Database } from '#server/db/client.ts';
import { clickPositions, searchDays, searchEvents, searchQueries } from '#server/db/schema/search-log.ts';
import type { EventType } from '#shared/analytics.ts';
import { limits } from '#shared/limits.ts';
import type { SearchMode } from '#shared/search.ts';
import { livingAmong } from './write-searches.ts';

/** What was done with a hit of a search. */
export interface EventRow {
  collectionId: number;
  search: number;
  type: EventType;
  /** A hash of its id. */
  document: number;
  documentId: string;
  /** Of the search. */
  day: string;
  mode: SearchMode;
  key: number;
  /** Null: it was not told. */
  position: number | null;
}

/** The place that stands for all behind those that are told apart. */
const lastPosition = limits.clickPositionsMax + 1;

/**
 * Counts the events that are not counted yet, each once, in one statement. The first click of a search makes it a clicked one. A day that has all the
 * events it may have takes no more.
 */
export async function writeEvents(db: Database, rows: EventRow[]): Promise<void> {
  await db.execute(
    sql`with told as (
          select * from json_to_recordset(${JSON.stringify(rows)}::text::json) as told (
            "collectionId" bigint, search bigint, type text, document bigint, "documentId" text, day date, mode text,
            key bigint, position integer)
        ),
          living as (${livingAmong(sql`select "collectionId" from told`)}),
          once as (
        select distinct on ("collectionId", search, type, document) * from told
        where "collectionId" in (select id from living)
        ),
          numbered as (
        select once.*, coalesce(d.events, 0)
          + row_number() over (partition by "collectionId", once.day order by search, type, document) as number
        from once left join ${searchDays} as d on d.collection_id = "collectionId" and d.day = once.day
        ),
          taken as (select * from numbered where number <= ${limits.searchEventsPerDayMax}),
          added as (
        insert into ${searchEvents} (collection_id, search, type, document, day, document_id, query_key)
        select "collectionId", search, type, document, day, "documentId", key from taken order by 1, 2, 3, 4
        on conflict do nothing
        returning collection_id, search, type, document
        ),
          counted as (
        select a.collection_id, t.day, t.mode, t.key, a.type, a.search, coalesce(t.position, 0) as position,
          a.type = 'click' as is_click,
          not exists (
            select from ${searchEvents} as e
            where e.collection_id = a.collection_id and e.search = a.search and e.type = a.type
          ) as is_first
        from added as a join taken as t on t."collectionId" = a.collection_id and t.search = a.search
          and t.type = a.type and t.document = a.document
        ),
          positions as (
        insert into ${clickPositions} as p (collection_id, day, position, clicks)
        select collection_id, day, least(position, ${lastPosition}::integer), count(*)
        from counted where is_click group by 1, 2, 3 order by 1, 2, 3
        on conflict (collection_id, day, position) do update set clicks = p.clicks + excluded.clicks
        ),
          queries as (
        insert into ${searchQueries} as q
          (collection_id, day, mode, key, clicks, clicked, positions, conversions, converted)
        select collection_id, day, mode, key, ${clickSums},
          coalesce(sum(position) filter (where is_click), 0), ${conversionSums}
        from counted group by 1, 2, 3, 4 order by 1, 2, 3, 4
        on conflict (collection_id, day, mode, key) do update set
          clicks = q.clicks + excluded.clicks, clicked = q.clicked + excluded.clicked,
          positions = q.positions + excluded.positions,
          conversions = q.conversions + excluded.conversions, converted = q.converted + excluded.converted
        returning collection_id, day, (xmax = 0) as is_new
        ),
          fresh as (select collection_id, day, count(*) filter (where is_new) as queries from queries group by 1, 2),
          days as (
        select collection_id, day, count(*) as events, ${clickSums}, ${conversionSums} from counted group by 1, 2
        )
        insert into ${searchDays} as d
          (collection_id, day, events, clicks, clicked, conversions, converted, queries)
        select collection_id, day, events, clicks, clicked, conversions, converted, queries
        from days join fresh using (collection_id, day) order by 1, 2
        on conflict (collection_id, day) do update set
          events = d.events + excluded.events, clicks = d.clicks + excluded.clicks,
          clicked = d.clicked + excluded.clicked, conversions = d.conversions + excluded.conversions,
          converted = d.converted + excluded.converted, queries = d.queries + excluded.queries`,
  );
}

const clickSums = sql`count(*) filter (where is_click) as clicks,
  count(distinct search) filter (where is_click and is_first) as clicked`;
const conversionSums = sql`count(*) filter (where not is_click) as conversions,
  count(distinct search) filter (where not is_click and is_first) as converted`;
