import { and, eq, gt, isNull } from 'drizzle-orm';
import type { Database } from '#server/db/client.ts';
import { apiKeys } from '#server/db/schema/api-keys.ts';
import { collections } from '#server/db/schema/collections.ts';
import { members, projects, workspaces } from '#server/db/schema/workspaces.ts';
import { AppError, notFound } from '#server/errors.ts';
import { limits } from '#shared/limits.ts';
import { assertRole, type MemberContext, type ProjectRow, type Writing } from '../scope.ts';
import { undoableSince } from './undoable-since.ts';

/** Brings back a project with what its deletion hid. @throws AppError UNPROCESSABLE when others have taken its place in the workspace or in a quota */
export async function restoreProject(ctx: Writing<MemberContext>, id: number): Promise<ProjectRow> {
  const { db } = ctx;
  // Its workspace must not be deleted meanwhile, or the project would come back to life in a dead one.
  await db
    .select({ id: workspaces.id })
    .from(workspaces)
    .innerJoin(projects, eq(projects.workspaceId, workspaces.id))
    .where(eq(projects.id, id))
    .for('no key update', { of: workspaces });
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
  await assertRoomForProject(db, found.project.workspaceId);
  const back = await db
    .update(collections)
    .set({ deletedAt: null })
    .where(and(eq(collections.projectId, id), eq(collections.deletedAt, found.project.deletedAt)))
    .returning({ documents: collections.documentCount, bytes: collections.documentBytes });
  await db.update(projects).set({ deletedAt: null }).where(eq(projects.id, id));
  await ctx.deps.quotas.assertRoom(db, found.project.workspaceId, {
    collections: back.length,
    documents: back.reduce((sum, { documents }) => sum + documents, 0),
    bytes: back.reduce((sum, { bytes }) => sum + bytes, 0),
    keys: await db.$count(apiKeys, and(eq(apiKeys.projectId, id), isNull(apiKeys.deletedAt))),
  });
  return { ...found.project, deletedAt: null };
}

/** Of a workspace that is locked, so that none counts while another is being added. @throws AppError UNPROCESSABLE */
export async function assertRoomForProject(db: Database, workspaceId: number): Promise<void> {
  const most = limits.projectsPerWorkspaceMax;
  const living = and(eq(projects.workspaceId, workspaceId), isNull(projects.deletedAt));
  if ((await db.$count(projects, living)) >= most)
    throw new AppError('UNPROCESSABLE', `A workspace has at most ${most} projects`);
}
