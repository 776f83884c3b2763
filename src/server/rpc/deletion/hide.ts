import { and, eq, isNull, max, type SQL } from 'drizzle-orm';
import type { ReadDatabase } from '#server/db/client.ts';
import { isAnyOf } from '#server/db/is-any-of.ts';
import { collections } from '#server/db/schema/collections.ts';
import { projects, workspaces } from '#server/db/schema/workspaces.ts';
import { notFound } from '#server/errors.ts';
import type { Writing } from '../scope.ts';

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
  await hideCollections(ctx, isAnyOf(collections.projectId, ids), deletedAt);
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
