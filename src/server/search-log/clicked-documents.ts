import { and, count, desc, eq, exists, gte, isNotNull, lt, ne, notExists, type SQL, sql } from 'drizzle-orm';
import type { ReadDatabase } from '#server/db/client.ts';
import { documents } from '#server/db/schema/collections.ts';
import { judgements } from '#server/db/schema/judgements.ts';
import { searchEvents, searchQueries } from '#server/db/schema/search-log.ts';
import { type ClickedDocument, gradeOfClicks } from '#shared/clicked-documents.ts';
import { limits } from '#shared/limits.ts';

interface Asked {
  collectionId: number;
  /** Searches in which it was clicked, at least. */
  clicksMin: number;
}

const isClick = eq(searchEvents.type, 'click');

/**
 * What was clicked for which query in the days that are kept, the most clicked first: documents that are there and that nobody has judged for it.
 * A query whose end was not counted is none to judge.
 */
export function selectClicked(db: ReadDatabase, { collectionId, clicksMin }: Asked) {
  const pairs = db
    .select({
      key: searchEvents.queryKey,
      document: searchEvents.documentId,
      clicks: countIf(isClick).as('clicks'),
      conversions: countIf(sql`not ${isClick}`).as('conversions'),
    })
    .from(searchEvents)
    .where(and(eq(searchEvents.collectionId, collectionId), isNotNull(searchEvents.documentId)))
    .groupBy(searchEvents.queryKey, searchEvents.documentId)
    .as('pairs');
  const clicked = db
    .select({
      key: searchEvents.queryKey,
      searches: sql`count(distinct ${searchEvents.search})`.mapWith(Number).as('searches'),
    })
    .from(searchEvents)
    .where(and(eq(searchEvents.collectionId, collectionId), isClick))
    .groupBy(searchEvents.queryKey)
    .as('clicked');
  const counted = db
    .select({ key: searchQueries.key, query: searchQueries.query })
    .from(searchQueries)
    .where(
      and(
        eq(searchQueries.collectionId, collectionId),
        isNotNull(searchQueries.query),
        ne(searchQueries.query, '*'),
        lt(sql`char_length(${searchQueries.query})`, limits.countedQueryCharactersMax),
      ),
    )
    .groupBy(searchQueries.key, searchQueries.query)
    .as('counted');
  const isThere = db
    .select({ one: sql`1` })
    .from(documents)
    .where(and(eq(documents.collectionId, collectionId), eq(documents.id, pairs.document)));
  const isJudged = db
    .select({ one: sql`1` })
    .from(judgements)
    .where(
      and(
        eq(judgements.collectionId, collectionId),
        eq(judgements.query, counted.query),
        eq(judgements.documentId, pairs.document),
      ),
    );
  return db
    .select({
      query: sql<string>`${counted.query}`.as('query'),
      document: sql<string>`${pairs.document}`.as('document'),
      clicks: pairs.clicks,
      conversions: pairs.conversions,
      searches: clicked.searches,
      // Of the whole list, so that it is read once for a page and its length.
      total: sql`count(*) over ()`.mapWith(Number),
    })
    .from(pairs)
    .innerJoin(counted, eq(counted.key, pairs.key))
    .innerJoin(clicked, eq(clicked.key, pairs.key))
    .where(and(gte(pairs.clicks, clicksMin), exists(isThere), notExists(isJudged)))
    .orderBy(desc(pairs.clicks), sql`${counted.query} collate "C"`, sql`${pairs.document} collate "C"`);
}

type ClickedRow = Awaited<ReturnType<typeof selectClicked>>[number];

export function toClicked({ total: _, ...row }: ClickedRow): ClickedDocument {
  return { ...row, grade: gradeOfClicks(row) };
}

function countIf(condition: SQL) {
  return sql`${count()} filter (where ${condition})`.mapWith(Number);
}
