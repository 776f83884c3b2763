import { and, eq, gt, inArray, isNull, max, type SQL } from 'drizzle-orm';
import type { ReadDatabase } from '#server/db/client.ts';
import { collections } from '#server/db/schema/collections.ts';
import { members, projects, workspaces } from '#server/db/schema/workspaces.ts';
import { violatedUnique } from '#server/db/violations.ts';
import { AppError, notFound } from '#server/errors.ts';
import type { Context } from './context.ts';
import {
  assertCollectionRole,
  assertRole,
  type CollectionRow,
  collectionOwnedBy,
  type MemberContext,
  type ProjectRow,
  type WorkspaceRow,
  type Writing,
} from './scope.ts';

/**
 * Deleting hides a thing and all below it at once, in the caller's transaction, under one moment that no earlier deletion below it bears.
 * So restoring brings back exactly what that deletion hid: what bears its moment. The purge removes the rows when the time is over.
 * The parent row is locked, so that nothing is created below it meanwhile: `no key update` keeps out those who share it to create below it,
 * and lets pass the events that only refer to it, which a stronger lock would end in deadlocks.
 */

/** `now`, or just after the latest deletion among what is to be hidden. */
function momentAfter(now: Date, latest: (Date | null | undefined)[]): Date {
  return new Date(Math.max(now.getTime(), ...latest.map((moment) => (moment ? moment.getTime() + 1 : 0))));
}

async function latestDeletion(db: ReadDatabase, ofProjects: SQL | undefined): Promise<Date | null> {
  const [row] = await db
    .select({ at: max(collections.deletedAt) })
    .from(collections)
    .innerJoin(projects, eq(projects.id, collections.projectId))
    .where(ofProjects);
  return row?.at ?? null;
}

/** What a deletion needs of a procedure that deletes. */
type Deleting = Pick<Writing, 'deps' | 'db' | 'afterCommit'>;

/** Hides the workspace, its projects and their collections. */
export async function hideWorkspace(ctx: Deleting, id: number): Promise<void> {
  const { db } = ctx;
  await db.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.id, id)).for('no key update');
  const below = eq(projects.workspaceId, id);
  const [latestProject] = await db
    .select({ at: max(projects.deletedAt) })
    .from(projects)
    .where(below);
  const deletedAt = momentAfter(ctx.deps.clock(), [latestProject?.at, await latestDeletion(db, below)]);
  const [hidden] = await db
    .update(workspaces)
    .set({ deletedAt })
    .where(and(eq(workspaces.id, id), isNull(workspaces.deletedAt)))
    .returning({ id: workspaces.id });
  if (!hidden) throw notFound('Workspace');
  const hiddenProjects = await db
    .update(projects)
    .set({ deletedAt })
    .where(and(below, isNull(projects.deletedAt)))
    .returning({ id: projects.id });
  const ids = hiddenProjects.map((project) => project.id);
  await hideCollections(ctx, inArray(collections.projectId, ids), deletedAt);
}

/** Hides the project and its collections. */
export async function hideProject(ctx: Deleting, id: number): Promise<void> {
  const { db } = ctx;
  await db.select({ id: projects.id }).from(projects).where(eq(projects.id, id)).for('no key update');
  const deletedAt = momentAfter(ctx.deps.clock(), [await latestDeletion(db, eq(projects.id, id))]);
  const [hidden] = await db
    .update(projects)
    .set({ deletedAt })
    .where(and(eq(projects.id, id), isNull(projects.deletedAt)))
    .returning({ id: projects.id });
  if (!hidden) throw notFound('Project');
  await hideCollections(ctx, eq(collections.projectId, id), deletedAt);
}

export async function hideCollection(ctx: Deleting, id: number): Promise<void> {
  const hidden = await hideCollections(ctx, eq(collections.id, id), ctx.deps.clock());
  if (hidden === 0) throw notFound('Collection');
}

/** Their indexes go after the commit: a search that comes later finds the collection hidden in the record. */
async function hideCollections(ctx: Deleting, which: SQL, deletedAt: Date): Promise<number> {
  const rows = await ctx.db
    .update(collections)
    .set({ deletedAt })
    .where(and(which, isNull(collections.deletedAt)))
    .returning({ id: collections.id });
  for (const { id } of rows) ctx.afterCommit(() => ctx.deps.indexes.drop(id));
  return rows.length;
}

/** The oldest moment whose deletions can still be undone. */
function undoableSince({ deps }: Pick<Context, 'deps'>): Date {
  return new Date(deps.clock().getTime() - deps.settings.purgeAfterMs);
}

export async function restoreWorkspace(ctx: Writing<MemberContext>, id: number): Promise<WorkspaceRow> {
  const { db } = ctx;
  const [found] = await db
    .select({ workspace: workspaces, role: members.role })
    .from(workspaces)
    .innerJoin(members, and(eq(members.workspaceId, workspaces.id), eq(members.userId, ctx.principal.userId)))
    .where(and(eq(workspaces.id, id), gt(workspaces.deletedAt, undoableSince(ctx))))
    .for('no key update', { of: workspaces });
  if (!found?.workspace.deletedAt) throw notFound('Workspace');
  assertRole(found.role, ctx.roleMin);
  const { deletedAt } = found.workspace;
  const back = await db
    .update(projects)
    .set({ deletedAt: null })
    .where(and(eq(projects.workspaceId, id), eq(projects.deletedAt, deletedAt)))
    .returning({ id: projects.id });
  const ids = back.map((project) => project.id);
  await db
    .update(collections)
    .set({ deletedAt: null })
    .where(and(inArray(collections.projectId, ids), eq(collections.deletedAt, deletedAt)));
  await db.update(workspaces).set({ deletedAt: null }).where(eq(workspaces.id, id));
  return { ...found.workspace, deletedAt: null };
}

export async function restoreProject(ctx: Writing<MemberContext>, id: number): Promise<ProjectRow> {
  const { db } = ctx;
  // Its workspace must not be deleted meanwhile, or the project would come back to life in a dead one.
  await db
    .select({ id: workspaces.id })
    .from(workspaces)
    .innerJoin(projects, eq(projects.workspaceId, workspaces.id))
    .where(eq(projects.id, id))
    .for('share', { of: workspaces });
  const [found] = await db
    .select({ project: projects, role: members.role })
    .from(projects)
    .innerJoin(workspaces, and(eq(workspaces.id, projects.workspaceId), isNull(workspaces.deletedAt)))
    .innerJoin(
      members,
      and(eq(members.workspaceId, projects.workspaceId), eq(members.userId, ctx.principal.userId)),
    )
    .where(and(eq(projects.id, id), gt(projects.deletedAt, undoableSince(ctx))))
    .for('no key update', { of: projects });
  if (!found?.project.deletedAt) throw notFound('Project');
  assertRole(found.role, ctx.roleMin);
  await db
    .update(collections)
    .set({ deletedAt: null })
    .where(and(eq(collections.projectId, id), eq(collections.deletedAt, found.project.deletedAt)));
  await db.update(projects).set({ deletedAt: null }).where(eq(projects.id, id));
  return { ...found.project, deletedAt: null };
}

/**
 * For a key: in its own project and within its list; for a session: in its workspaces.
 * @throws AppError CONFLICT when another collection has taken the name meanwhile
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
  return collection;
}

/** What a statement that gives a collection its name answers. @throws AppError CONFLICT when another collection of the project bears it */
export async function unlessNameTaken<T>(name: string, statement: PromiseLike<T>): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    if (violatedUnique(error) === null) throw error;
    throw new AppError('CONFLICT', `A collection named "${name}" already exists in this project`, {
      details: [{ path: 'name', message: 'is already taken in this project' }],
    });
  }
}
