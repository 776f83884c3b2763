import { and, eq, isNull } from 'drizzle-orm';
import { users } from '#server/db/schema/accounts.ts';
import { members } from '#server/db/schema/workspaces.ts';
import { AppError, notFound } from '#server/errors.ts';
import type { Role } from '#shared/roles.ts';
import { assertRole, getWorkspace, type MemberContext, type WorkspaceRow, type Writing } from './scope.ts';

/**
 * The workspace and the caller's role in it, for what changes who its members are: such transactions take turns from here to their end. The
 * role is read again once it is this one's turn, since the one before may have changed it.
 * @throws AppError NOT_FOUND, FORBIDDEN (role)
 */
export async function lockMembership(
  ctx: Writing<MemberContext>,
  workspaceId: number,
): Promise<{ workspace: WorkspaceRow; role: Role }> {
  const workspace = await getWorkspace(ctx, workspaceId, 'no key update');
  const own = await findMember(ctx, { workspaceId, userId: ctx.principal.userId });
  if (!own) throw notFound('Workspace');
  assertRole(own.role, ctx.roleMin);
  return { workspace, role: own.role };
}

export interface MemberRef {
  workspaceId: number;
  userId: number;
}

/** @throws AppError NOT_FOUND */
export async function getMember(ctx: Pick<Writing, 'db'>, ref: MemberRef) {
  const member = await findMember(ctx, ref);
  if (!member) throw notFound('Member');
  return member;
}

async function findMember({ db }: Pick<Writing, 'db'>, { workspaceId, userId }: MemberRef) {
  const [member] = await db
    .select({ role: members.role, username: users.username })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(and(eq(members.workspaceId, workspaceId), eq(members.userId, userId)));
  return member ?? null;
}

/**
 * That somebody who can sign in goes on as owner when this member does not. Asked behind `lockMembership`.
 * @throws AppError CONFLICT
 */
export async function assertOwnerStays(
  { db }: Pick<Writing, 'db'>,
  { workspaceId, userId }: MemberRef,
): Promise<void> {
  const owners = await db
    .select({ id: users.id })
    .from(members)
    .innerJoin(users, and(eq(users.id, members.userId), isNull(users.disabledAt)))
    .where(and(eq(members.workspaceId, workspaceId), eq(members.role, 'owner')));
  if (owners.some(({ id }) => id !== userId)) return;
  throw new AppError('CONFLICT', 'A workspace needs an owner: make somebody else one first');
}
