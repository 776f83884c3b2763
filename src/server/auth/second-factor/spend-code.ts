import { and, eq, isNotNull, isNull, lt, or } from 'drizzle-orm';
import type { Database } from '#server/db/client.ts';
import { recoveryCodes, secondFactors } from '#server/db/schema/accounts.ts';
import type { AppError } from '#server/errors.ts';
import type { AuthParts } from '../auth-parts.ts';
import type { UserRow } from '../sign-in.ts';
import { recoveryCodeId } from './recovery-codes.ts';
import { findStep } from './totp.ts';

export type SecondFactorRow = typeof secondFactors.$inferSelect;

/** What somebody types in who is asked for a code: the app's, or a recovery code. */
interface Given {
  user: UserRow;
  factor: SecondFactorRow;
  code: string;
  address: string;
  /** What is answered to a code that is not right, or was used before. */
  wrong: AppError;
}

/** What was shown. */
type Shown = { by: 'app'; step: number } | { by: 'recovery code'; id: string };

/**
 * Does what needs a code. `act` writes it in a transaction, in which it calls `spend`, so that a code does one thing.
 * Wrong codes are counted by account, wherever they come from: only those who know its password are asked for one.
 * @throws AppError `wrong`, TOO_MANY_REQUESTS, and what `act` throws
 */
export async function spendCode<T>(
  parts: Pick<AuthParts, 'loginTries' | 'secrets' | 'clock'>,
  given: Given,
  act: (shown: Shown, spend: (tx: Database) => Promise<void>) => Promise<T>,
): Promise<T> {
  const { user, factor, address, wrong } = given;
  const attempt = { emailKey: user.emailKey, address, device: 'second factor' };
  const tried = await parts.loginTries.begin(attempt);
  try {
    const shown = readCode(parts, given);
    if (shown === null) throw wrong;
    const done = await act(shown, async (tx) => {
      if (!(await isSpent(tx, factor, shown))) throw wrong;
    });
    await tried.wasRight();
    return done;
  } catch (error) {
    if (error !== wrong) return tried.failWith(error);
    await tried.wasWrong();
    throw error;
  }
}

/** How a secret is bound to its account. */
export function secretBinding(userId: number): string {
  return `second factor of ${userId}`;
}

function readCode(
  { secrets, clock }: Pick<AuthParts, 'secrets' | 'clock'>,
  { factor, code }: Given,
): Shown | null {
  const digits = code.replaceAll(/\s/g, '');
  if (/^\d{6}$/.test(digits)) {
    const secret = secrets.open(factor.secret, secretBinding(factor.userId));
    const step = findStep(secret, { code: digits, now: clock() });
    return step === null ? null : { by: 'app', step };
  }
  const id = recoveryCodeId(code);
  return id === null ? null : { by: 'recovery code', id };
}

/** Whether it was good until now. Of two who come with one code at once, one gets through. */
async function isSpent(
  tx: Database,
  { userId, secret, confirmedAt }: SecondFactorRow,
  shown: Shown,
): Promise<boolean> {
  if (shown.by === 'recovery code') {
    const own = and(eq(recoveryCodes.id, shown.id), eq(recoveryCodes.userId, userId));
    return (await tx.delete(recoveryCodes).where(own).returning({ id: recoveryCodes.id })).length > 0;
  }
  const { lastStep } = secondFactors;
  const isNew = or(isNull(lastStep), lt(lastStep, shown.step));
  const isAsSeen = confirmedAt ? isNotNull(secondFactors.confirmedAt) : isNull(secondFactors.confirmedAt);
  const spent = await tx
    .update(secondFactors)
    .set({ lastStep: shown.step })
    .where(and(eq(secondFactors.userId, userId), eq(secondFactors.secret, secret), isAsSeen, isNew))
    .returning({ userId: secondFactors.userId });
  return spent.length > 0;
}
