import { and, count, countDistinct, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Principal } from '#server/auth/principal.ts';
import type { Database, ReadDatabase } from '#server/db/client.ts';
import { users } from '#server/db/schema/accounts.ts';
import { apiKeys } from '#server/db/schema/api-keys.ts';
import { collections } from '#server/db/schema/collections.ts';
import { judgements } from '#server/db/schema/judgements.ts';
import { AppError, notFound } from '#server/errors.ts';
import type { JudgedQuery } from '#server/indexes/relevance/measure-queries.ts';
import type { Judgement } from '#shared/judgements.ts';
import { limits } from '#shared/limits.ts';
import { personName } from './person-name.ts';
import { type CollectionRow, getCollection, type Writing } from './scope.ts';

/** Statements about the judgements of a collection that the caller may see. */

type Owner = Pick<CollectionRow, 'id'>;
type Row = typeof judgements.$inferSelect;

const rowsAtOnce = 1_000;

export function toJudgement({
  query,
  documentId,
  grade,
  judgedAt,
}: Pick<Row, 'query' | 'documentId' | 'grade' | 'judgedAt'>): Judgement {
  return { query, document: documentId, grade, judgedAt: judgedAt.toISOString() };
}

/** The collection that is about to be judged: locked until the transaction ends, so that those who count its judgements take turns. @throws AppError NOT_FOUND, FORBIDDEN (role) */
export async function getToJudge(ctx: Writing, reference: string): Promise<CollectionRow> {
  const found = await getCollection(ctx, reference);
  const [locked] = await ctx.db
    .select({ id: collections.id })
    .from(collections)
    .where(and(eq(collections.id, found.id), isNull(collections.deletedAt)))
    .for('no key update');
  if (!locked) throw notFound('Collection');
  return found;
}

/** Of a collection, those that a further condition leaves; of one query, where one is named. */
export function judgedIn({ id }: Owner, query: string | undefined, narrow?: SQL): SQL | undefined {
  const isOfQuery = query === undefined ? undefined : eq(judgements.query, query);
  return and(eq(judgements.collectionId, id), isOfQuery, narrow);
}

/** By query and document, in code points. */
export const inOrder = [sql`${judgements.query} collate "C"`, sql`${judgements.documentId} collate "C"`];

/** Who gave a judgement, as members are told. Keys are in browsers too, and are told no names. */
export function judgedByFor({ kind }: Principal): SQL<string | null> {
  if (kind === 'key') return sql<null>`null::text`;
  return sql<string | null>`coalesce(
    (select ${personName} from ${users} where ${users.id} = ${judgements.judgedByUser}),
    (select 'key ' || ${apiKeys.name} from ${apiKeys} where ${apiKeys.id} = ${judgements.judgedByKey}))`;
}

/** A later grade takes the place of an earlier one. */
export async function putJudgements(
  db: Database,
  { id: collectionId }: Owner,
  { given, now, by }: { given: readonly Omit<Judgement, 'judgedAt'>[]; now: Date; by: Principal },
): Promise<void> {
  const judgedByUser = by.kind === 'user' ? by.userId : null;
  const judgedByKey = by.kind === 'key' ? by.keyId : null;
  for (let from = 0; from < given.length; from += rowsAtOnce) {
    const values = given.slice(from, from + rowsAtOnce).map(({ query, document: documentId, grade }) => ({
      collectionId,
      query,
      documentId,
      grade,
      judgedAt: now,
      judgedByUser,
      judgedByKey,
    }));
    await db
      .insert(judgements)
      .values(values)
      .onConflictDoUpdate({
        target: [judgements.collectionId, judgements.query, judgements.documentId],
        set: {
          grade: sql`excluded.grade`,
          judgedAt: sql`excluded.judged_at`,
          judgedByUser: sql`excluded.judged_by_user`,
          judgedByKey: sql`excluded.judged_by_key`,
        },
      });
  }
}

/** Asked once all is written. @throws AppError UNPROCESSABLE */
export async function assertRoomForJudgements(db: Database, collection: Owner): Promise<void> {
  const [held] = await db
    .select({ judgements: count(), queries: countDistinct(judgements.query) })
    .from(judgements)
    .where(judgedIn(collection, undefined));
  const { judgementsMax, judgedQueriesMax } = limits;
  if (held && held.judgements > judgementsMax)
    throw new AppError('UNPROCESSABLE', `A collection has at most ${judgementsMax} judgements`);
  if (held && held.queries > judgedQueriesMax)
    throw new AppError('UNPROCESSABLE', `A collection has at most ${judgedQueriesMax} judged queries`);
}

/** Queries with how many documents are judged for them, in order. */
export function selectQueries(db: ReadDatabase, collection: Owner) {
  return db
    .select({
      query: judgements.query,
      documents: count(),
      relevant: sql`count(*) filter (where ${judgements.grade} > 0)`.mapWith(Number),
    })
    .from(judgements)
    .where(judgedIn(collection, undefined))
    .groupBy(judgements.query)
    .orderBy(sql`${judgements.query} collate "C"`);
}

/** All that is judged, by query: `limits.judgementsMax` documents. */
export async function readJudged(db: ReadDatabase, collection: Owner): Promise<JudgedQuery[]> {
  const rows = await db
    .select({ query: judgements.query, documentId: judgements.documentId, grade: judgements.grade })
    .from(judgements)
    .where(judgedIn(collection, undefined))
    .orderBy(...inOrder);
  const byQuery = new Map<string, Map<string, number>>();
  for (const { query, documentId, grade } of rows) {
    const grades = byQuery.get(query) ?? new Map<string, number>();
    byQuery.set(query, grades.set(documentId, grade));
  }
  return [...byQuery].map(([query, grades]) => ({ query, grades }));
}
