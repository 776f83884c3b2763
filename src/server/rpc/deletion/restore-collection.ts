import { and, eq, gt, isNull } from 'drizzle-orm';
import { collections } from '#server/db/schema/collections.ts';
import { projects } from '#server/db/schema/workspaces.ts';
import { notFound } from '#server/errors.ts';
import { assertCollectionRole, type CollectionRow, collectionOwnedBy, type Writing } from '../scope.ts';
import { unlessNameTaken } from '../unless-name-taken.ts';
import { undoableSince } from './undoable-since.ts';

/**
 * For a key: in its own project and within its list; for a session: in its workspaces.
 * @throws AppError CONFLICT when another collection has taken the name meanwhile, UNPROCESSABLE when others have taken its place in a quota
 */
export async function restoreCollection(ctx: Writing, id: number): Promise<CollectionRow> {
  const { db } = ctx;
  await db
    .select({ id: projects.id })
    .from(projects)
    .innerJoin(collections, eq(collections.projectId, projects.id))
    .where(eq(collections.id, id))
    .for('share', { of: projects });
  const [found] = await db
    .select({ collection: collections, workspaceId: projects.workspaceId })
    .from(collections)
    .innerJoin(projects, and(eq(projects.id, collections.projectId), isNull(projects.deletedAt)))
    .where(and(eq(collections.id, id), gt(collections.deletedAt, undoableSince(ctx)), collectionOwnedBy(ctx)))
    .for('no key update', { of: collections });
  if (!found) throw notFound('Collection');
  const collection = { ...found.collection, deletedAt: null, workspaceId: found.workspaceId };
  await assertCollectionRole(ctx, collection);
  await unlessNameTaken(
    collection.name,
    db.update(collections).set({ deletedAt: null }).where(eq(collections.id, id)),
  );
  const { workspaceId, documentCount: documents, documentBytes: bytes } = collection;
  await ctx.deps.quotas.assertRoom(db, workspaceId, { collections: 1, documents, bytes });
  return collection;
}
