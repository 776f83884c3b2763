import { and, eq, isNull } from 'drizzle-orm';
import { isAnyOf } from '#server/db/is-any-of.ts';
import { users } from '#server/db/schema/accounts.ts';
import { conversations } from '#server/db/schema/conversations.ts';
import { workspaces } from '#server/db/schema/workspaces.ts';
import { AppError } from '#server/errors.ts';
import { isSoleOwner, selectMemberships } from '#server/workspaces/membership.ts';
import type { MemberContext, Writing } from '../scope.ts';
import { hideWorkspace } from './hide.ts';

type Deleting = Pick<Writing, 'db' | 'deps' | 'afterCommit'> & Pick<MemberContext, 'principal'>;

/**
 * Deletes the account with its sessions and second factor, and hides its conversations and the workspaces that nobody else is in, which the
 * purge empties.
 * Answers whose it was and the names of those workspaces.
 * @throws AppError CONFLICT where others would be left in a workspace without an owner
 */
export async function deleteAccount(ctx: Deleting): Promise<{ username: string; workspaces: string[] }> {
  const { db, principal } = ctx;
  const { userId } = principal;
  const [user] = await db.select().from(users).where(eq(users.id, userId)).for('update');
  if (!user) throw new AppError('UNAUTHORIZED', 'Sign in to do this');
  const of = (await selectMemberships(db, { userId })).map(({ id }) => id);
  // Nobody joins or leaves one of them until this is done.
  await db
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(isAnyOf(workspaces.id, of))
    .orderBy(workspaces.id)
    .for('no key update');
  const memberships = await selectMemberships(db, { userId });
  const ownerless = memberships.filter((one) => isSoleOwner(one) && one.members > 1);
  if (ownerless.length > 0) throw new AppError('CONFLICT', whyNot(ownerless.map(({ name }) => name)));
  const alone = memberships.filter(({ members }) => members === 1);
  for (const { id } of alone) await hideWorkspace(ctx, id);
  // The purge takes them with their messages, slice by slice; all else that Postgres removes with the account is a few rows.
  await db
    .update(conversations)
    .set({ deletedAt: ctx.deps.clock() })
    .where(and(eq(conversations.userId, userId), isNull(conversations.deletedAt)));
  await db.delete(users).where(eq(users.id, userId));
  return { username: user.username, workspaces: alone.map(({ name }) => name) };
}

function whyNot(names: string[]): string {
  const which = names.length === 1 ? `the workspace ${names[0]}` : `${names.length} workspaces`;
  return `You are the only owner of ${which}, which others are in: make somebody else an owner, or delete it first`;
}
