import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt } from 'drizzle-orm';
import { type AuditEntry, byOperator, type Origin } from '#server/audit/audit-entry.ts';
import { writeAuditEntry } from '#server/audit/write-audit-entry.ts';
import type { Database, ReadDatabase } from '#server/db/client.ts';
import { passwordResets, users } from '#server/db/schema/accounts.ts';
import type { Settings } from '#server/env.ts';
import { AppError } from '#server/errors.ts';
import { identityKey } from '../identity.ts';
import type { UserRow } from '../sign-in.ts';

/** Links that set a new password: good once and for an hour, until the password is another one. */
const goodForMs = 60 * 60 * 1000;
const tokenBytes = 32;

/** Only the hash is stored; plain SHA-256 is right here, since there is nothing to guess. */
function hashResetToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

export interface IssuedReset {
  /** Its only place is here. */
  token: string;
  user: UserRow;
  expiresAt: Date;
}

/** Of one account at once, of those that are mailed. Older ones stay good: whoever asks for many takes none from the owner. */
const mailedMax = 3;

/** For an operator, in the place of older links. Null: nobody has this email, or who has it is disabled. */
export async function issueResetToken(
  tx: Database,
  { email, now }: { email: string; now: Date },
): Promise<IssuedReset | null> {
  const user = await lockAccount(tx, identityKey(email));
  if (!user) return null;
  await tx.delete(passwordResets).where(eq(passwordResets.userId, user.id));
  return await insertToken(tx, user, { at: now, action: 'auth.issueResetLink', ...byOperator });
}

/** For somebody who asked without showing anything. Null: as `issueResetToken`, or the account has as many good ones as it may. */
export async function issueMailedToken(
  tx: Database,
  { emailKey, now, from }: { emailKey: string; now: Date; from: Origin },
): Promise<IssuedReset | null> {
  const user = await lockAccount(tx, emailKey);
  if (!user) return null;
  const isGood = and(eq(passwordResets.userId, user.id), gt(passwordResets.expiresAt, now));
  if ((await tx.$count(passwordResets, isGood)) >= mailedMax) return null;
  const actor = { kind: 'nobody', id: null } as const;
  return await insertToken(tx, user, { at: now, action: 'auth.forgotPassword', actor, from });
}

async function lockAccount(tx: Database, emailKey: string): Promise<UserRow | null> {
  const [user] = await tx.select().from(users).where(eq(users.emailKey, emailKey)).for('update');
  return user && user.disabledAt === null ? user : null;
}

async function insertToken(
  tx: Database,
  user: UserRow,
  act: Pick<AuditEntry, 'at' | 'action' | 'actor' | 'from'>,
): Promise<IssuedReset> {
  const token = randomBytes(tokenBytes).toString('base64url');
  const expiresAt = new Date(act.at.getTime() + goodForMs);
  await tx
    .insert(passwordResets)
    .values({ id: hashResetToken(token), userId: user.id, expiresAt, createdAt: act.at });
  const target = { kind: 'account', id: user.id, name: user.username } as const;
  await writeAuditEntry(tx, { ...act, workspaceId: null, target });
  return { token, user, expiresAt };
}

/** Where people open it. */
export function resetLinkUrl(
  { publicUrl, host, port }: Pick<Settings, 'publicUrl' | 'host' | 'port'>,
  token: string,
): string {
  return `${publicUrl ?? `http://${host}:${port}`}/reset-password/${token}`;
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
