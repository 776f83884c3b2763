import { and, eq, isNotNull } from 'drizzle-orm';
import { accountName } from '#server/admission/requester.ts';
import { secondFactors } from '#server/db/schema/accounts.ts';
import { type AppError, badRequest } from '#server/errors.ts';
import type { AuthParts } from '../auth-parts.ts';
import type { UserRow } from '../sign-in.ts';
import { spendCode } from './spend-code.ts';

/** What is answered to a code that is not taken, of somebody who is signed in. */
export function refuseCode(why: string): AppError {
  return badRequest('code', why);
}

/**
 * Asks who is signed in, and has shown the password once more, for a code too, where signing in takes one. The code is used up.
 * @throws AppError BAD_REQUEST at `code`, TOO_MANY_REQUESTS
 */
export async function askCode(parts: AuthParts, user: UserRow, code: string | undefined): Promise<void> {
  const own = parts.record.as(accountName(user.id));
  const isOn = and(eq(secondFactors.userId, user.id), isNotNull(secondFactors.confirmedAt));
  const [factor] = await own.db.select().from(secondFactors).where(isOn);
  if (!factor) return;
  if (!code) throw badRequest('code', 'is required');
  await spendCode(parts, { user, factor, code, refuse: refuseCode }, (_, spend) => own.write(spend));
}
