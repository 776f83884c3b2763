import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, isNull } from 'drizzle-orm';
import type { Database, ReadDatabase } from '#server/db/client.ts';
import { emailChanges, users } from '#server/db/schema/accounts.ts';
import type { Settings } from '#server/env.ts';
import { AppError } from '#server/errors.ts';
import type { PendingEmail } from '#shared/accounts.ts';
import type { UserRow } from '../sign-in.ts';

/** Links that make a new address an account's: good once and for a day, until another one is asked for or the password is another one. */
const goodForMs = 24 * 60 * 60 * 1000;
const tokenBytes = 32;

export interface EmailLink {
  /** Its only place is in the letter. */
  token: string;
  email: string;
  expiresAt: Date;
}

export function makeEmailLink(email: string, now: Date): EmailLink {
  const token = randomBytes(tokenBytes).toString('base64url');
  return { token, email, expiresAt: new Date(now.getTime() + goodForMs) };
}

/** In the place of an older one. */
export async function keepEmailLink(
  tx: Database,
  { userId, link, now }: { userId: number; link: EmailLink; now: Date },
): Promise<void> {
  const { token, email, expiresAt } = link;
  const row = { tokenHash: hashToken(token), email, expiresAt, createdAt: now };
  await tx
    .insert(emailChanges)
    .values({ userId, ...row })
    .onConflictDoUpdate({ target: emailChanges.userId, set: row });
}

/** Whether there was one. */
export async function dropEmailLink(tx: Database, userId: number): Promise<boolean> {
  const own = eq(emailChanges.userId, userId);
  const dropped = await tx.delete(emailChanges).where(own).returning({ userId: emailChanges.userId });
  return dropped.length > 0;
}

export async function findPendingEmail(
  db: ReadDatabase,
  { userId, now }: { userId: number; now: Date },
): Promise<PendingEmail | null> {
  const [found] = await db
    .select({ email: emailChanges.email, expiresAt: emailChanges.expiresAt })
    .from(emailChanges)
    .where(and(eq(emailChanges.userId, userId), gt(emailChanges.expiresAt, now)));
  return found ? { email: found.email, expiresAt: found.expiresAt.toISOString() } : null;
}

/** @throws AppError NOT_FOUND for a link that is not good: one sentence for every reason */
export async function getEmailLink(
  db: ReadDatabase,
  { token, now }: { token: string; now: Date },
): Promise<{ user: UserRow; email: string; expiresAt: Date }> {
  const [found] = await db
    .select({ user: users, email: emailChanges.email, expiresAt: emailChanges.expiresAt })
    .from(emailChanges)
    .innerJoin(users, and(eq(users.id, emailChanges.userId), isNull(users.disabledAt)))
    .where(isGood(token, now));
  if (!found) throw noSuchLink();
  return found;
}

/** Uses it up, with the account's row locked first, as everywhere: of two who come with it at once, one gets it. @throws AppError as `getEmailLink` */
export async function spendEmailLink(
  tx: Database,
  { userId, token, now }: { userId: number; token: string; now: Date },
): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');
  const spent = await tx
    .delete(emailChanges)
    .where(isGood(token, now))
    .returning({ userId: emailChanges.userId });
  if (spent.length === 0) throw noSuchLink();
}

/** Where people open it. */
export function emailLinkUrl(
  { publicUrl, host, port }: Pick<Settings, 'publicUrl' | 'host' | 'port'>,
  token: string,
): string {
  return `${publicUrl ?? `http://${host}:${port}`}/confirm-email/${token}`;
}

/** Plain SHA-256 is right here, since there is nothing to guess. */
function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function isGood(token: string, now: Date) {
  return and(eq(emailChanges.tokenHash, hashToken(token)), gt(emailChanges.expiresAt, now));
}

function noSuchLink(): AppError {
  return new AppError(
    'NOT_FOUND',
    'This link is not good any more: it was used, a day has passed, or there is a newer one',
  );
}
