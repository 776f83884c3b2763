import { timingSafeEqual } from 'node:crypto';
import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { secondFactors, users } from '#server/db/schema/accounts.ts';
import type { PendingLogin } from '../auth.ts';
import type { AuthParts } from '../auth-parts.ts';
import type { UserRow } from '../sign-in.ts';
import type { SecondFactorRow } from './spend-code.ts';

const goodForMs = 10 * 60_000;
const shape = /^(\d{1,15})\.(\d{1,15})\.([\w-]{43})$/;

export function issuePendingLogin({ secrets, clock }: AuthParts, user: UserRow): PendingLogin {
  const expiresAt = new Date(clock().getTime() + goodForMs);
  const about = `${user.id}.${expiresAt.getTime()}`;
  return { cookieValue: `${about}.${signatureOf(secrets, about, user)}`, expiresAt };
}

/** Null: made up, too old, or the account has another password by now, is disabled or has no second factor any more. */
export async function findPendingLogin(
  { record, secrets, clock }: AuthParts,
  cookieValue: string | null | undefined,
): Promise<{ user: UserRow; factor: SecondFactorRow } | null> {
  const [, userId = '', expiresAt = '', signature = ''] = shape.exec(cookieValue ?? '') ?? [];
  if (signature === '' || Number(expiresAt) <= clock().getTime()) return null;
  const [found] = await record.db
    .select({ user: users, factor: secondFactors })
    .from(users)
    .innerJoin(secondFactors, eq(secondFactors.userId, users.id))
    .where(and(eq(users.id, Number(userId)), isNull(users.disabledAt), isNotNull(secondFactors.confirmedAt)));
  if (!found) return null;
  const expected = signatureOf(secrets, `${userId}.${expiresAt}`, found.user);
  return timingSafeEqual(Buffer.from(signature), Buffer.from(expected)) ? found : null;
}

/** Bound to the password that was shown. */
function signatureOf(secrets: AuthParts['secrets'], about: string, { passwordHash }: UserRow): string {
  return secrets.sign('pending login', `${about}.${passwordHash}`);
}
