import { and, eq, isNull } from 'drizzle-orm';
import { webhooks } from '#server/db/schema/webhooks.ts';
import { members, workspaces } from '#server/db/schema/workspaces.ts';
import { notFound } from '#server/errors.ts';
import { assertRole, type MemberContext, type WorkspaceRow } from './scope.ts';

/** A webhook and its workspace, as `scope.ts` finds things. @throws AppError NOT_FOUND, FORBIDDEN (role) */
export async function getWebhook(
  ctx: MemberContext,
  id: number,
): Promise<{ webhook: typeof webhooks.$inferSelect; workspace: WorkspaceRow }> {
  const isMember = and(eq(members.workspaceId, workspaces.id), eq(members.userId, ctx.principal.userId));
  const [found] = await ctx.db
    .select({ webhook: webhooks, workspace: workspaces, role: members.role })
    .from(webhooks)
    .innerJoin(workspaces, and(eq(workspaces.id, webhooks.workspaceId), isNull(workspaces.deletedAt)))
    .innerJoin(members, isMember)
    .where(eq(webhooks.id, id));
  if (!found) throw notFound('Webhook');
  ctx.noteUsage?.({ workspaceId: found.workspace.id, projectId: null });
  assertRole(found.role, ctx.roleMin);
  return found;
}
