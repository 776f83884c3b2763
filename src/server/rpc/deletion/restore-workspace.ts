import { and, eq, gt } from 'drizzle-orm';
import { isAnyOf } from '#server/db/is-any-of.ts';
import { collections } from '#server/db/schema/collections.ts';
import { members, projects, workspaces } from '#server/db/schema/workspaces.ts';
import { notFound } from '#server/errors.ts';
import { assertRole, type MemberContext, type WorkspaceRow, type Writing } from '../scope.ts';
import { undoableSince } from './undoable-since.ts';

/** Brings back a workspace with what its deletion hid. */
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
    .where(and(isAnyOf(collections.projectId, ids), eq(collections.deletedAt, deletedAt)));
  await db.update(workspaces).set({ deletedAt: null }).where(eq(workspaces.id, id));
  return { ...found.workspace, deletedAt: null };
}
