import { timingSafeEqual } from 'node:crypto';
import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { secondFactors, users } from '#server/db/schema/accounts.ts';
import type { AuthParts } from '../auth-parts.ts';
import type { UserRow } from '../sign-in.ts';
import type { PendingLogin } from '../visitor.ts';
import type { SecondFactorRow } from './spend-code.ts';

const goodForMs = 10 * 60_000;
const shape = /^(\d{1,15})\.(\d{1,15})\.([\w-]{43})\.([\w-]{43})$/;

export function issuePendingLogin({ secrets, clock }: AuthParts, user: UserRow): PendingLogin {
  const expiresAt = new Date(clock().getTime() + goodForMs);
  const about = `${user.id}.${expiresAt.getTime()}`;
  const bound = `${about}.${bindingOf(secrets, about, user)}`;
  return { cookieValue: `${bound}.${signatureOf(secrets, bound)}`, expiresAt };
}

/** Null: made up or too old, which costs no statement, or the account has another password by now, is disabled or has no second factor any more. */
export async function findPendingLogin(
  { record, secrets, clock }: AuthParts,
  cookieValue: string | null | undefined,
): Promise<{ user: UserRow; factor: SecondFactorRow } | null> {
  const [, userId = '', expiresAt = '', binding = '', signature = ''] = shape.exec(cookieValue ?? '') ?? [];
  const about = `${userId}.${expiresAt}`;
  if (!isSame(signature, signatureOf(secrets, `${about}.${binding}`))) return null;
  if (Number(expiresAt) <= clock().getTime()) return null;
  const [found] = await record.db
    .select({ user: users, factor: secondFactors })
    .from(users)
    .innerJoin(secondFactors, eq(secondFactors.userId, users.id))
    .where(and(eq(users.id, Number(userId)), isNull(users.disabledAt), isNotNull(secondFactors.confirmedAt)));
  return found && isSame(binding, bindingOf(secrets, about, found.user)) ? found : null;
}

/** To the password that was shown. */
function bindingOf(secrets: AuthParts['secrets'], about: string, { passwordHash }: UserRow): string {
  return secrets.sign('pending login', `${about}.${passwordHash}`);
}

/** Tells a cookie of this server without asking the record. */
function signatureOf(secrets: AuthParts['secrets'], bound: string): string {
  return secrets.sign('pending login cookie', bound);
}

function isSame(given: string, expected: string): boolean {
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}
