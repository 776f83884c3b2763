import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt } from 'drizzle-orm';
import { writeAuditEntry } from '#server/audit/write-audit-entry.ts';
import type { Database, ReadDatabase } from '#server/db/client.ts';
import { passwordResets, users } from '#server/db/schema/accounts.ts';
import { AppError } from '#server/errors.ts';
import { identityKey } from './identity.ts';
import type { UserRow } from './sign-in.ts';

/** Links that set a new password: good once and for an hour, of each account only the newest. */
const goodForMs = 60 * 60 * 1000;
const tokenBytes = 32;

/** Only the hash is stored; plain SHA-256 is right here, since there is nothing to guess. */
function hashResetToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** For an operator. The token's only place is the answer. Null: nobody has this email, or who has it is disabled. */
export async function issueResetToken(
  tx: Database,
  { email, now }: { email: string; now: Date },
): Promise<{ token: string; user: UserRow; expiresAt: Date } | null> {
  const [user] = await tx
    .select()
    .from(users)
    .where(eq(users.emailKey, identityKey(email)))
    .for('update');
  if (!user || user.disabledAt) return null;
  const token = randomBytes(tokenBytes).toString('base64url');
  const expiresAt = new Date(now.getTime() + goodForMs);
  await tx.delete(passwordResets).where(eq(passwordResets.userId, user.id));
  await tx
    .insert(passwordResets)
    .values({ id: hashResetToken(token), userId: user.id, expiresAt, createdAt: now });
  const target = { kind: 'account', id: user.id, name: user.username } as const;
  const actor = { kind: 'operator', id: null } as const;
  const act = { at: now, action: 'auth.issueResetLink', actor, workspaceId: null, target, from: null };
  await writeAuditEntry(tx, act);
  return { token, user, expiresAt };
}

/** @throws AppError NOT_FOUND for a link that is not good: one sentence for every reason */
export async function getReset(
  db: ReadDatabase,
  { token, now }: { token: string; now: Date },
): Promise<{ user: UserRow; expiresAt: Date }> {
  const [reset] = await db
    .select({ user: users, expiresAt: passwordResets.expiresAt })
    .from(passwordResets)
    .innerJoin(users, eq(users.id, passwordResets.userId))
    .where(isGood(token, now));
  if (!reset) throw noSuchLink();
  return reset;
}

/** Uses it up: of two who come with it at once, one gets it. @throws AppError as `getReset` */
export async function spendReset(
  tx: Database,
  given: { userId: number; token: string; now: Date },
): Promise<void> {
  // Locks are taken in one order everywhere: the account first.
  await tx.select({ id: users.id }).from(users).where(eq(users.id, given.userId)).for('update');
  const spent = await tx
    .delete(passwordResets)
    .where(isGood(given.token, given.now))
    .returning({ id: passwordResets.id });
  if (spent.length === 0) throw noSuchLink();
}

function isGood(token: string, now: Date) {
  return and(eq(passwordResets.id, hashResetToken(token)), gt(passwordResets.expiresAt, now));
}

function noSuchLink(): AppError {
  return new AppError(
    'NOT_FOUND',
    'This link is not good any more: it was used, an hour has passed, or there is a newer one',
  );
}
