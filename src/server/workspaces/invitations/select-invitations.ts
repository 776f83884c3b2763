import { and, desc, eq, getTableColumns, gt, isNull, type SQL, sql } from 'drizzle-orm';
import type { ReadDatabase } from '#server/db/client.ts';
import { users } from '#server/db/schema/accounts.ts';
import { invitations } from '#server/db/schema/invitations.ts';
import { members } from '#server/db/schema/workspaces.ts';
import type { InvitationState } from '#shared/invitations.ts';
import { isAtLeast, type Role } from '#shared/roles.ts';

export type InvitationRow = Awaited<ReturnType<typeof selectInvitations>>[number];

/** Newest first, with whoever made each as they are now: null where they are no member any more, or disabled. */
export function selectInvitations(db: ReadDatabase, narrow: SQL | undefined) {
  return db
    .select({
      ...getTableColumns(invitations),
      inviterName: sql<string | null>`${users.username}`.as('inviter_name'),
      inviterRole: sql<Role | null>`${members.role}`.as('inviter_role'),
    })
    .from(invitations)
    .leftJoin(users, and(eq(users.id, invitations.invitedBy), isNull(users.disabledAt)))
    .leftJoin(members, and(eq(members.userId, users.id), eq(members.workspaceId, invitations.workspaceId)))
    .where(narrow)
    .orderBy(desc(invitations.id));
}

/** Not accepted, and not taken back by anybody. */
export const isPending = and(isNull(invitations.acceptedAt), isNull(invitations.revokedAt));

/** Of those, what can be accepted for what time tells; who made them is looked at by `stateOf`. */
export function isUnexpired(now: Date): SQL {
  return gt(invitations.expiresAt, now);
}

/** What somebody may give who has this role. */
function mayInvite(inviter: Role | null, invited: Role): boolean {
  return inviter !== null && isAtLeast(inviter, 'admin') && isAtLeast(inviter, invited);
}

/** An invitation is worth as much as whoever made it: it dies with their membership, and with the role that could give this one. */
export function stateOf(
  row: Pick<InvitationRow, 'acceptedAt' | 'revokedAt' | 'expiresAt' | 'inviterRole' | 'role'>,
  now: Date,
): InvitationState {
  if (row.acceptedAt !== null) return 'accepted';
  if (row.revokedAt !== null || !mayInvite(row.inviterRole, row.role)) return 'revoked';
  return row.expiresAt <= now ? 'expired' : 'open';
}
