import { and, eq, gt, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { tenantOf } from '#server/admission/requester.ts';
import type { RecordStore } from '#server/db/client.ts';
import { isAnyOf } from '#server/db/is-any-of.ts';
import { collections, documents } from '#server/db/schema/collections.ts';
import { projects } from '#server/db/schema/workspaces.ts';
import { ownerIdOf } from '#server/workspaces/owner-id-of.ts';
import { builtInModel, rotatedModel } from '#shared/built-in-models.ts';
import type { WritableCollection } from '../indexes.ts';
import { upgradable } from '../registry/rows.ts';

type Db = Pick<RecordStore, 'db'>;

export const builtInModels = [builtInModel, rotatedModel];

/** As whose lane of their tenant documents are upgraded. */
const caller = 'upgrade';

/** A collection with the model that its vectors are of. */
export type ModelledCollection = WritableCollection & { model: string };

interface Wanted {
  /** Null: all. */
  ids: number[] | null;
  /** Absent: whatever they have. */
  has?: { of: keyof typeof upgradable; models: string[] };
  /** What else is true of them. */
  where?: SQL;
}

/** Those of these collections, or of all, that are of a model and have such documents; each counts as its owner's. */
export async function collectionsToUpgrade(
  { db }: Db,
  { ids, has, where }: Wanted,
): Promise<ModelledCollection[]> {
  const narrow = has && [
    inArray(collections.model, has.models),
    sql`exists (select 1 from ${documents}
      where ${documents.collectionId} = ${collections.id} and ${sql.raw(upgradable[has.of])})`,
  ];
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
        ...(narrow ?? []),
        where,
      ),
    )
    .orderBy(collections.id);
  return rows.map(({ collection: { id, dimension, metric, metadata, rulesVersion, model }, ...of }) => {
    return { id, for: { ...tenantOf(of), caller }, dimension, metric, metadata, rulesVersion, model };
  });
}

/** The collections in which the transformer made vectors. */
export async function upgradedCollections({ db }: Db): Promise<number[]> {
  const rows = await db
    .select({ id: collections.id })
    .from(collections)
    .where(and(inArray(collections.model, builtInModels), gt(collections.upgradedCount, 0)));
  return rows.map(({ id }) => id);
}
