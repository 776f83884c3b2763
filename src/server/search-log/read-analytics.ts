import { and, desc, eq, gte, isNotNull, lte, type SQL, sql, sum } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { ReadDatabase } from '#server/db/client.ts';
import { clickPositions, searchDays, searchQueries } from '#server/db/schema/search-log.ts';
import type { Analytics, QueryFigures, queryLists } from '#shared/analytics.ts';
import type { SearchMode } from '#shared/search.ts';

/** Days of one collection, YYYY-MM-DD. */
interface Period {
  collectionId: number;
  from: string;
  to: string;
}

interface QueryList extends Period {
  kind: (typeof queryLists)[number];
  mode: SearchMode | undefined;
  /** Queries that were searched for less often are left out. */
  searchesMin: number;
}

const dayMs = 24 * 60 * 60_000;

export async function readAnalytics(db: ReadDatabase, period: Period): Promise<Omit<Analytics, 'queries'>> {
  const rows = await db.select().from(searchDays).where(within(searchDays, period));
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const total = (
    name: 'searches' | 'withoutResults' | 'clicks' | 'clicked' | 'conversions' | 'converted' | 'tookMs',
  ) => rows.reduce((all, row) => all + row[name], 0);
  const searches = total('searches');
  const days = daysOf(period).map((date) => {
    const { searches = 0, withoutResults = 0, clicks = 0, conversions = 0 } = byDay.get(date) ?? {};
    return { date, searches, without_results: withoutResults, clicks, conversions };
  });
  return {
    from: period.from,
    to: period.to,
    searches,
    without_results: total('withoutResults'),
    clicks: total('clicks'),
    conversions: total('conversions'),
    click_through_rate: rateOf(total('clicked'), searches),
    conversion_rate: rateOf(total('converted'), searches),
    search_time_ms: searches === 0 ? null : rounded(total('tookMs') / searches),
    clicks_by_position: await readPositions(db, period),
    days,
  };
}

function readPositions(db: ReadDatabase, period: Period): Promise<Analytics['clicks_by_position']> {
  return db
    .select({ position: clickPositions.position, clicks: sum(clickPositions.clicks).mapWith(Number) })
    .from(clickPositions)
    .where(within(clickPositions, period))
    .groupBy(clickPositions.position)
    .orderBy(clickPositions.position);
}

/** The whole list in its order, of which a page is read. */
export function selectQueries(db: ReadDatabase, { kind, mode, searchesMin, ...period }: QueryList) {
  const searches = sumOf(searchQueries.searches, 'searches');
  const withoutResults = sumOf(searchQueries.withoutResults, 'without_results');
  const lists: Record<QueryList['kind'], { having: SQL; order: SQL }> = {
    top: { having: sql`true`, order: sql`sum(searches)` },
    no_results: { having: sql`sum(without_results) > 0`, order: sql`sum(without_results)` },
    no_clicks: {
      having: sql`sum(clicks) = 0 and sum(searches) > sum(without_results)`,
      order: sql`sum(searches)`,
    },
  };
  const { having, order } = lists[kind];
  return db
    .select({
      query: searchQueries.query,
      searches,
      withoutResults,
      found: sumOf(searchQueries.found, 'found'),
      clicks: sumOf(searchQueries.clicks, 'clicks'),
      clicked: sumOf(searchQueries.clicked, 'clicked'),
      positions: sumOf(searchQueries.positions, 'positions'),
      conversions: sumOf(searchQueries.conversions, 'conversions'),
      converted: sumOf(searchQueries.converted, 'converted'),
    })
    .from(searchQueries)
    .where(
      and(
        within(searchQueries, period),
        isNotNull(searchQueries.query),
        mode === undefined ? undefined : eq(searchQueries.mode, mode),
      ),
    )
    .groupBy(searchQueries.query)
    .having(and(having, sql`sum(searches) >= ${searchesMin}`))
    .orderBy(desc(order), sql`${searchQueries.query} collate "C"`);
}

type QueryRow = Awaited<ReturnType<typeof selectQueries>>[number];

export function toQueryFigures(row: QueryRow): QueryFigures {
  const { searches, withoutResults, clicks, conversions } = row;
  return {
    query: row.query ?? '',
    searches,
    without_results: withoutResults,
    found: searches === 0 ? null : rounded(row.found / searches),
    clicks,
    click_through_rate: rateOf(row.clicked, searches),
    click_position: clicks === 0 ? null : rounded(row.positions / clicks),
    conversions,
    conversion_rate: rateOf(row.converted, searches),
  };
}

function sumOf(column: PgColumn, name: string) {
  return sql`sum(${column})`.mapWith(Number).as(name);
}

function within(
  { collectionId, day }: { collectionId: PgColumn; day: PgColumn },
  period: Period,
): SQL | undefined {
  return and(eq(collectionId, period.collectionId), gte(day, period.from), lte(day, period.to));
}

/** Further pages of a search have hits to click too, and are not counted as searches: so a rate is never above 1. */
function rateOf(part: number, searches: number): number | null {
  return searches === 0 ? null : rounded(Math.min(1, part / searches));
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

function daysOf({ from, to }: Period): string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += dayMs)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}
