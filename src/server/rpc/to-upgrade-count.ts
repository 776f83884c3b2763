import { and, eq, sql } from 'drizzle-orm';
import type { ReadDatabase } from '#server/db/client.ts';
import { documents } from '#server/db/schema/collections.ts';
import { isBuiltInModel } from '#shared/built-in-models.ts';
import { limits } from '#shared/limits.ts';
import type { CollectionRow } from './scope.ts';

/** Documents that wait for the transformer, or for the service: not those without a text, nor those whose vector came with them. By the record's partial indexes, so that what is done is not read. */
export async function toUpgradeCount(
  db: ReadDatabase,
  { id, model }: Pick<CollectionRow, 'id' | 'model'>,
): Promise<number> {
  const waits = isBuiltInModel(model) ? sql`model_id like 'static-%'` : sql`model_id = 'pending'`;
  const some = db
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.collectionId, id), waits))
    .limit(limits.toUpgradeCountMax);
  return await db.$count(some.as('waiting'));
}
