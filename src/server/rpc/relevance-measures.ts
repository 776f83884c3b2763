import { and, count, desc, eq, gt, inArray, isNotNull, lte, sql } from 'drizzle-orm';
import type { Database, ReadDatabase } from '#server/db/client.ts';
import { auditEntries } from '#server/db/schema/audit-entries.ts';
import { relevanceMeasures } from '#server/db/schema/judgements.ts';
import { meansOf } from '#server/indexes/relevance/list-figures.ts';
import type { MeasuredQuery } from '#server/indexes/relevance/measure-queries.ts';
import type { MeasuredChange, QueryFigures, RelevanceMeasure } from '#shared/judgements.ts';
import { limits } from '#shared/limits.ts';
import type { SearchMode } from '#shared/search.ts';
import type { CollectionRow } from './scope.ts';

/** What was measured of a collection that the caller may see. */

type Owner = Pick<CollectionRow, 'id' | 'workspaceId'>;
type Row = typeof relevanceMeasures.$inferSelect;

export function toMeasure({ measuredAt, collectionId: _, results: __, ...row }: Row): RelevanceMeasure {
  return { ...row, measuredAt: measuredAt.toISOString() };
}

/** The last ones, newest first, of one mode or of all; the first of each mode alone has its results. */
export async function readMeasures(
  db: ReadDatabase,
  { id }: Owner,
  { most, mode }: { most: number; mode?: SearchMode | undefined },
): Promise<Row[]> {
  return await db
    .select()
    .from(relevanceMeasures)
    .where(and(eq(relevanceMeasures.collectionId, id), mode && eq(relevanceMeasures.mode, mode)))
    .orderBy(desc(relevanceMeasures.id))
    .limit(most);
}

/** What can change what is found. Documents written one by one are in no audit. */
const changing = [
  'synonyms.upsert',
  'synonyms.delete',
  'synonyms.import',
  'overrides.upsert',
  'overrides.delete',
  'searchSettings.update',
  'documents.import',
  'documents.deleteMany',
  'documents.mergeMany',
  'judgements.put',
  'judgements.import',
  'judgements.delete',
];

/** What was done to the collection after a moment, the most frequent first. */
export async function readChanges(
  db: ReadDatabase,
  { id, workspaceId }: Owner,
  after: Date,
): Promise<MeasuredChange[]> {
  const times = count();
  return await db
    .select({ action: auditEntries.action, times })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.workspaceId, workspaceId),
        gt(auditEntries.createdAt, after),
        eq(auditEntries.targetKind, 'collection'),
        eq(auditEntries.targetId, id),
        eq(auditEntries.outcome, 'done'),
        inArray(auditEntries.action, changing),
      ),
    )
    .groupBy(auditEntries.action)
    .orderBy(desc(times), auditEntries.action)
    .limit(limits.measuredChangesMax);
}

/** The worst first; beside each what it had in the measure before. */
export function resultsOf(measured: readonly MeasuredQuery[], former: QueryFigures[] | null): QueryFigures[] {
  const before = new Map(former?.map(({ query, ndcg }) => [query, ndcg]));
  return measured
    .map((figures) => ({ ...figures, before: before.get(figures.query) ?? null }))
    .sort((a, b) => a.ndcg - b.ndcg);
}

/** Writes a measure; the collection is locked. Further ones than are kept go, and of the others of its mode their results. */
export async function addMeasure(
  db: Database,
  { id: collectionId }: Owner,
  taken: {
    measuredAt: Date;
    mode: SearchMode;
    reason: string | null;
    changes: MeasuredChange[];
    results: QueryFigures[];
  },
): Promise<RelevanceMeasure> {
  const isOwn = eq(relevanceMeasures.collectionId, collectionId);
  await db
    .update(relevanceMeasures)
    .set({ results: null })
    .where(and(isOwn, eq(relevanceMeasures.mode, taken.mode), isNotNull(relevanceMeasures.results)));
  const [added] = await db
    .insert(relevanceMeasures)
    .values({ collectionId, ...taken, queries: taken.results.length, ...meansOf(taken.results) })
    .returning();
  if (!added) throw new Error('the inserted measure was not returned');
  const oldest = db
    .select({ id: relevanceMeasures.id })
    .from(relevanceMeasures)
    .where(isOwn)
    .orderBy(desc(relevanceMeasures.id))
    .offset(limits.measuresKeptMax)
    .limit(1);
  await db.delete(relevanceMeasures).where(and(isOwn, lte(relevanceMeasures.id, sql`(${oldest})`)));
  return toMeasure(added);
}
