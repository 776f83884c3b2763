import { and, eq, isNull } from 'drizzle-orm';
import { alertRules } from '#server/db/schema/alerts.ts';
import { members, workspaces } from '#server/db/schema/workspaces.ts';
import { notFound } from '#server/errors.ts';
import { assertRole, type MemberContext, type WorkspaceRow } from './scope.ts';

/** An alert rule and its workspace, as `scope.ts` finds things. @throws AppError NOT_FOUND, FORBIDDEN (role) */
export async function getAlertRule(
  ctx: MemberContext,
  id: number,
): Promise<{ rule: typeof alertRules.$inferSelect; workspace: WorkspaceRow }> {
  const isMember = and(eq(members.workspaceId, workspaces.id), eq(members.userId, ctx.principal.userId));
  const [found] = await ctx.db
    .select({ rule: alertRules, workspace: workspaces, role: members.role })
    .from(alertRules)
    .innerJoin(workspaces, and(eq(workspaces.id, alertRules.workspaceId), isNull(workspaces.deletedAt)))
    .innerJoin(members, isMember)
    .where(eq(alertRules.id, id));
  if (!found) throw notFound('Alert rule');
  ctx.noteUsage?.({ workspaceId: found.workspace.id, projectId: null });
  assertRole(found.role, ctx.roleMin);
  return found;
}
