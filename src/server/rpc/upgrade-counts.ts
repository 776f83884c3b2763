import { and, eq, sql } from 'drizzle-orm';
import type { ReadDatabase } from '#server/db/client.ts';
import { collections, documents } from '#server/db/schema/collections.ts';
import { isBuiltInModel } from '#shared/built-in-models.ts';
import { limits } from '#shared/limits.ts';
import type { CollectionRow } from './scope.ts';

/**
 * Documents that wait for the transformer, or for the service: not those without a text, nor those whose vector came with them; and those that need not wait any more, as
 * they were at the same moment, so that a document is counted once. By the record's partial indexes, so that what is done is not read.
 */
export async function upgradeCounts(
  db: ReadDatabase,
  { id, model, upgradedCount }: Pick<CollectionRow, 'id' | 'model' | 'upgradedCount'>,
): Promise<{ upgradedCount: number; toUpgradeCount: number }> {
  const waits = isBuiltInModel(model) ? sql`model_id like 'static-%'` : sql`model_id = 'pending'`;
  const waiting = db
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.collectionId, id), waits))
    .limit(limits.toUpgradeCountMax);
  const [counts] = await db
    .select({
      upgradedCount: collections.upgradedCount,
      toUpgradeCount: sql<number>`(select count(*)::int from ${waiting.as('waiting')})`,
    })
    .from(collections)
    .where(eq(collections.id, id));
  return counts ?? { upgradedCount, toUpgradeCount: 0 };
}
