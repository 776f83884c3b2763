import { and, eq, isNull } from 'drizzle-orm';
import { users } from '#server/db/schema/accounts.ts';
import { invitations } from '#server/db/schema/invitations.ts';
import { members, workspaces } from '#server/db/schema/workspaces.ts';
import { AppError, notFound } from '#server/errors.ts';
import { hashInvitationToken } from '#server/workspaces/invitations/invitation-link.ts';
import {
  type InvitationRow,
  selectInvitations,
  stateOf,
} from '#server/workspaces/invitations/select-invitations.ts';
import type { InvitationState } from '#shared/invitations.ts';
import { limits } from '#shared/limits.ts';
import type { Context } from './context.ts';
import type { MemberContext, WorkspaceRow, Writing } from './scope.ts';

/** What a link is about, whatever has become of it. @throws AppError NOT_FOUND, also once its workspace is deleted */
export async function getInvitationLink(
  { db }: Pick<MemberContext, 'db'>,
  token: string,
): Promise<{ row: InvitationRow; workspace: WorkspaceRow }> {
  const [row] = await selectInvitations(db, eq(invitations.tokenHash, hashInvitationToken(token)));
  if (!row) throw notFound('Invitation');
  const [workspace] = await db
    .select()
    .from(workspaces)
    .where(and(eq(workspaces.id, row.workspaceId), isNull(workspaces.deletedAt)));
  if (!workspace) throw notFound('Invitation');
  return { row, workspace };
}

type Accepting = Omit<Writing<MemberContext>, 'roleMin'> & Pick<Context, 'deps'>;

/**
 * Makes the caller a member. Transactions about a workspace's members take turns, so that of two who come with one link one gets in.
 * @throws AppError NOT_FOUND, UNAUTHORIZED (the account is gone), CONFLICT (it has ended; a member already), FORBIDDEN (another one's), UNPROCESSABLE (no room, also by the plan)
 */
export async function acceptInvitation(
  { db, deps, principal: { userId } }: Accepting,
  token: string,
): Promise<{ row: InvitationRow; workspace: WorkspaceRow }> {
  const { workspace } = await getInvitationLink({ db }, token);
  const { id: workspaceId } = workspace;
  // The account first, as everywhere: it is not deleted meanwhile.
  const emailKey = await lockEmailKey({ db }, userId);
  await db
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId))
    .for('no key update');
  // What it is when its turn has come.
  const { row } = await getInvitationLink({ db }, token);
  const now = deps.clock();
  const state = stateOf(row, now);
  if (state !== 'open') throw new AppError('CONFLICT', endings[state]);
  assertIsFor(row, emailKey);
  const [member] = await db
    .select({ role: members.role })
    .from(members)
    .where(and(eq(members.workspaceId, workspaceId), eq(members.userId, userId)));
  if (member) throw new AppError('CONFLICT', `You are a member of it already, as ${member.role}`);
  if ((await db.$count(members, eq(members.workspaceId, workspaceId))) >= limits.membersMax)
    throw new AppError('UNPROCESSABLE', `A workspace has at most ${limits.membersMax} members`);
  const joined = { role: row.role, roleSince: now, createdAt: now };
  await db.insert(members).values({ workspaceId, userId, ...joined });
  await deps.quotas.assertRoom(db, workspaceId, { members: 1 });
  await db.update(invitations).set({ acceptedAt: now }).where(eq(invitations.id, row.id));
  return { row, workspace };
}

const endings: Record<Exclude<InvitationState, 'open'>, string> = {
  accepted: 'This invitation was accepted already; each is good once',
  revoked: 'This invitation was revoked; ask for another one',
  expired: `This invitation is older than ${limits.invitationDays} days; ask for another one`,
};

/** @throws AppError UNAUTHORIZED */
async function lockEmailKey({ db }: Pick<Writing, 'db'>, userId: number): Promise<string> {
  const isOwn = eq(users.id, userId);
  const [user] = await db.select({ emailKey: users.emailKey }).from(users).where(isOwn).for('key share');
  if (!user) throw new AppError('UNAUTHORIZED', 'Sign in to do this');
  return user.emailKey;
}

/** @throws AppError FORBIDDEN */
function assertIsFor({ email }: InvitationRow, emailKey: string): void {
  if (email === null || email === emailKey) return;
  throw new AppError('FORBIDDEN', `This invitation is for ${email}: sign in with that account to accept it`);
}
