import { and, eq, exists, inArray, isNull, ne, not } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { byOperator } from '#server/audit/audit-entry.ts';
import { writeAuditEntry } from '#server/audit/write-audit-entry.ts';
import type { Database } from '#server/db/client.ts';
import { emailChanges, passwordResets, sessions, users } from '#server/db/schema/accounts.ts';
import { apiKeys } from '#server/db/schema/api-keys.ts';
import { members, projects } from '#server/db/schema/workspaces.ts';
import { identityKey } from './identity.ts';
import type { UserRow } from './sign-in.ts';

interface Given {
  email: string;
  now: Date;
}

export interface Disabled {
  email: string;
  /** Sessions that have ended. */
  ended: number;
  /** Keys of workspaces that nobody else is in. */
  revoked: number;
  /** Active keys of workspaces that others are in. */
  kept: number;
}

/**
 * For an operator. The account's sessions, reset links and links to a new email end, and it can sign in no more. Keys belong to workspaces: those that nobody
 * else is in lose theirs. Null: nobody has this email.
 */
export async function disableAccount(tx: Database, { email, now }: Given): Promise<Disabled | null> {
  const user = await lockAccount(tx, email);
  if (!user) return null;
  await tx.update(users).set({ disabledAt: now }).where(eq(users.id, user.id));
  const own = eq(sessions.userId, user.id);
  const ended = (await tx.delete(sessions).where(own).returning({ number: sessions.number })).length;
  await tx.delete(passwordResets).where(eq(passwordResets.userId, user.id));
  await tx.delete(emailChanges).where(eq(emailChanges.userId, user.id));
  const { revoked, kept } = await revokeKeys(tx, user.id);
  await writeAct(tx, user, { at: now, action: 'auth.disableAccount', after: { ended, revoked } });
  return { email: user.email, ended, revoked, kept };
}

/** Keys that were revoked stay so: a member activates those that are wanted. Null: nobody has this email. */
export async function enableAccount(tx: Database, { email, now }: Given): Promise<{ email: string } | null> {
  const user = await lockAccount(tx, email);
  if (!user) return null;
  await tx.update(users).set({ disabledAt: null }).where(eq(users.id, user.id));
  await writeAct(tx, user, { at: now, action: 'auth.enableAccount' });
  return { email: user.email };
}

async function lockAccount(tx: Database, email: string): Promise<UserRow | undefined> {
  const [user] = await tx
    .select()
    .from(users)
    .where(eq(users.emailKey, identityKey(email)))
    .for('update');
  return user;
}

async function revokeKeys(tx: Database, userId: number): Promise<{ revoked: number; kept: number }> {
  const others = alias(members, 'others');
  const another = tx
    .select({ userId: others.userId })
    .from(others)
    .innerJoin(users, eq(users.id, others.userId))
    .where(
      and(eq(others.workspaceId, members.workspaceId), ne(others.userId, userId), isNull(users.disabledAt)),
    );
  const activeIn = (isShared: boolean) => {
    const places = tx
      .select({ id: projects.id })
      .from(projects)
      .innerJoin(members, eq(members.workspaceId, projects.workspaceId))
      .where(and(eq(members.userId, userId), isShared ? exists(another) : not(exists(another))));
    return and(eq(apiKeys.isActive, true), inArray(apiKeys.projectId, places));
  };
  // Deleted ones, too, or Undo would bring them back active.
  const revoked = await tx
    .update(apiKeys)
    .set({ isActive: false })
    .where(activeIn(false))
    .returning({ deletedAt: apiKeys.deletedAt });
  return {
    revoked: revoked.filter(({ deletedAt }) => deletedAt === null).length,
    kept: await tx.$count(apiKeys, and(activeIn(true), isNull(apiKeys.deletedAt))),
  };
}

async function writeAct(
  tx: Database,
  { id, username: name }: UserRow,
  act: { at: Date; action: string; after?: Record<string, number> },
): Promise<void> {
  const target = { kind: 'account', id, name } as const;
  await writeAuditEntry(tx, { ...act, ...byOperator, workspaceId: null, target });
}
