import { and, eq, isNull } from 'drizzle-orm';
import { invitations } from '#server/db/schema/invitations.ts';
import { members, workspaces } from '#server/db/schema/workspaces.ts';
import { notFound } from '#server/errors.ts';
import {
  type InvitationRow,
  isPending,
  selectInvitations,
} from '#server/workspaces/invitations/select-invitations.ts';
import { assertRole, type MemberContext } from './scope.ts';

/** One that has not ended by being accepted or revoked. @throws AppError NOT_FOUND, FORBIDDEN (role) */
export async function getPendingInvitation(ctx: MemberContext, id: number): Promise<InvitationRow> {
  const [row] = await selectInvitations(ctx.db, and(eq(invitations.id, id), isPending));
  if (!row) throw notFound('Invitation');
  const [own] = await ctx.db
    .select({ role: members.role })
    .from(members)
    .innerJoin(workspaces, and(eq(workspaces.id, members.workspaceId), isNull(workspaces.deletedAt)))
    .where(and(eq(members.workspaceId, row.workspaceId), eq(members.userId, ctx.principal.userId)));
  if (!own) throw notFound('Invitation');
  ctx.noteUsage?.({ workspaceId: row.workspaceId, projectId: null });
  assertRole(own.role, ctx.roleMin);
  return row;
}
