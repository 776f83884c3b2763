import { and, desc, eq, gt, inArray, isNotNull, lt, or } from 'drizzle-orm';
import { identityKey } from '#server/auth/identity.ts';
import { users } from '#server/db/schema/accounts.ts';
import { invitations } from '#server/db/schema/invitations.ts';
import { members } from '#server/db/schema/workspaces.ts';
import { AppError } from '#server/errors.ts';
import { makeInvitationLink } from '#server/workspaces/invitations/invitation-link.ts';
import {
  type InvitationRow,
  isPending,
  isUnexpired,
  selectInvitations,
} from '#server/workspaces/invitations/select-invitations.ts';
import { limits } from '#shared/limits.ts';
import type { Role } from '#shared/roles.ts';
import type { MemberContext, Writing } from './scope.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Ended ones stay so long, so that their links can say why they are not good. */
const endedKeptMs = 30 * dayMs;

interface Invited {
  workspaceId: number;
  role: Role;
  email: string | null;
}

/**
 * A new invitation, behind `lockMembership`. One to the same email takes the former one's place.
 * @throws AppError CONFLICT (a member already), UNPROCESSABLE (too many open), TOO_MANY_REQUESTS (too many today)
 */
export async function invite(
  ctx: Writing<MemberContext>,
  { workspaceId, role, email: given }: Invited,
): Promise<{ row: InvitationRow; token: string }> {
  const { db, deps, principal } = ctx;
  const now = deps.clock();
  const email = given === null ? null : identityKey(given);
  const isHere = eq(invitations.workspaceId, workspaceId);
  await forgetEnded(ctx, workspaceId, now);
  if (email !== null) {
    await assertNoMember(ctx, workspaceId, email);
    const isSame = and(isHere, eq(invitations.email, email), isPending);
    await db.update(invitations).set({ revokedAt: now }).where(isSame);
  }
  await assertRoom(ctx, { workspaceId, isMailed: email !== null, now });
  const { token, ...link } = makeInvitationLink(now);
  const values = { workspaceId, role, email, ...link, invitedBy: principal.userId, createdAt: now };
  const [made] = await db.insert(invitations).values(values).returning({ id: invitations.id });
  const [row] = made ? await selectInvitations(db, eq(invitations.id, made.id)) : [];
  if (!row) throw new Error('the inserted invitation was not returned');
  return { row, token };
}

async function assertNoMember({ db }: Pick<Writing, 'db'>, workspaceId: number, email: string) {
  const [member] = await db
    .select({ username: users.username, role: members.role })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(and(eq(members.workspaceId, workspaceId), eq(users.emailKey, email)));
  if (!member) return;
  const message = `${member.username} is a member already, as ${member.role}`;
  throw new AppError('CONFLICT', message, { details: [{ path: 'email', message }] });
}

/** Old ones, and of the others all but the last. */
async function forgetEnded({ db }: Pick<Writing, 'db'>, workspaceId: number, now: Date): Promise<void> {
  const isHere = eq(invitations.workspaceId, workspaceId);
  const hasEnded = or(isNotNull(invitations.acceptedAt), isNotNull(invitations.revokedAt));
  const beyond = db
    .select({ id: invitations.id })
    .from(invitations)
    .where(and(isHere, hasEnded))
    .orderBy(desc(invitations.id))
    .offset(limits.openInvitationsMax);
  const isOld = lt(invitations.expiresAt, new Date(now.getTime() - endedKeptMs));
  await db.delete(invitations).where(and(isHere, or(isOld, inArray(invitations.id, beyond))));
}

async function assertRoom(
  { db, deps, principal }: Writing<MemberContext>,
  { workspaceId, isMailed, now }: { workspaceId: number; isMailed: boolean; now: Date },
): Promise<void> {
  const isOpen = and(eq(invitations.workspaceId, workspaceId), isPending, isUnexpired(now));
  if ((await db.$count(invitations, isOpen)) >= limits.openInvitationsMax) {
    const message = `A workspace has at most ${limits.openInvitationsMax} open invitations; revoke some first`;
    throw new AppError('UNPROCESSABLE', message);
  }
  if (!isMailed) return;
  const isToday = gt(invitations.createdAt, new Date(now.getTime() - dayMs));
  const isOwn = and(eq(invitations.invitedBy, principal.userId), isNotNull(invitations.email));
  if ((await db.$count(invitations, and(isOwn, isToday))) >= limits.mailedInvitationsPerDayMax) {
    const message = `You can invite ${limits.mailedInvitationsPerDayMax} people a day by email; invite by link, or go on tomorrow`;
    throw new AppError('TOO_MANY_REQUESTS', message, { retryAfterSeconds: 60 * 60 });
  }
  deps.auth.countInvitation(principal);
}
