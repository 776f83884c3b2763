import { and, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import { tenantOf } from '#server/admission/requester.ts';
import type { RecordStore } from '#server/db/client.ts';
import { isAnyOf } from '#server/db/is-any-of.ts';
import { collections, documents } from '#server/db/schema/collections.ts';
import { projects } from '#server/db/schema/workspaces.ts';
import { ownerIdOf } from '#server/workspaces/owner-id-of.ts';
import type { WritableCollection } from '../indexes.ts';

type Db = Pick<RecordStore, 'db'>;

/** As whose lane of their tenant documents are upgraded. */
const caller = 'upgrade';

/** Those of these collections, or of all, that have documents whose vectors the table made; each counts as its owner's. */
export async function collectionsToUpgrade({ db }: Db, ids: number[] | null): Promise<WritableCollection[]> {
  const has: SQL = sql`exists (select 1 from ${documents}
    where ${documents.collectionId} = ${collections.id} and ${documents.modelId} like 'static-%')`;
  const rows = await db
    .select({
      collection: collections,
      workspaceId: projects.workspaceId,
      ownerId: ownerIdOf(projects.workspaceId),
    })
    .from(collections)
    .innerJoin(projects, eq(projects.id, collections.projectId))
    .where(
      and(
        isNull(collections.deletedAt),
        isNull(projects.deletedAt),
        ids ? isAnyOf(collections.id, ids) : undefined,
        has,
      ),
    )
    .orderBy(collections.id);
  return rows.map(({ collection: { id, dimension, metric, metadata, rulesVersion }, ...of }) => {
    return { id, for: { ...tenantOf(of), caller }, dimension, metric, metadata, rulesVersion };
  });
}

/** The collections in which the transformer made vectors. */
export async function upgradedCollections({ db }: Db): Promise<number[]> {
  const rows = await db
    .select({ id: collections.id })
    .from(collections)
    .where(gt(collections.upgradedCount, 0));
  return rows.map(({ id }) => id);
}
