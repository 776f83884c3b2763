import { createHash } from 'node:crypto';
import { and, eq, gt, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
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
  /** What is answered to a code that is not taken. */
  refuse: (why: string) => AppError;
}

/** What was shown. */
type Shown = { by: 'app'; step: number } | { by: 'recovery code'; id: string };

/**
 * Does what needs a code. `act` writes it in a transaction, in which it calls `spend`, so that a code does one thing.
 * Wrong codes are counted by account, wherever they come from: only those who know its password are asked for one. After a hundred in a row
 * the app's are taken no more, until a recovery code is, or the password is another one.
 * @throws AppError by `refuse`, TOO_MANY_REQUESTS, and what `act` throws
 */
export async function spendCode<T>(
  parts: Pick<AuthParts, 'record' | 'loginTries' | 'secrets' | 'clock'>,
  given: Given,
  act: (shown: Shown, spend: (tx: Database) => Promise<void>) => Promise<T>,
): Promise<T> {
  const { user, factor, refuse } = given;
  const wrong = refuse('is not right, or was used already');
  const tried = await parts.loginTries.begin({ emailKey: user.emailKey, by: guesserOf(user) });
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
    await countWrong(parts, given);
    throw error;
  }
}

/** How a secret is bound to its account. */
export function secretBinding(userId: number): string {
  return `second factor of ${userId}`;
}

/** Who knows a password and guesses codes. Whoever knows a former one slows down nobody who knows this one. */
function guesserOf({ passwordHash }: UserRow): string {
  return `second factor ${createHash('sha256').update(passwordHash).digest('base64url')}`;
}

/** NIST SP 800-63B, section 3.2.2. */
const wrongCodesMax = 100;

function readCode(
  { secrets, clock }: Pick<AuthParts, 'secrets' | 'clock'>,
  { factor, code, refuse }: Given,
): Shown | null {
  const digits = digitsOf(code);
  if (digits === null) {
    const id = recoveryCodeId(code);
    return id === null ? null : { by: 'recovery code', id };
  }
  if (factor.wrongCodes >= wrongCodesMax) {
    throw refuse(
      `is of an app whose codes were wrong ${wrongCodesMax} times: use a recovery code, or reset your password`,
    );
  }
  const secret = secrets.open(factor.secret, secretBinding(factor.userId));
  const step = findStep(secret, { code: digits, now: clock() });
  return step === null ? null : { by: 'app', step };
}

/** Of an app's code; null: it can be none. */
function digitsOf(code: string): string | null {
  const digits = code.replaceAll(/\s/g, '');
  return /^\d{6}$/.test(digits) ? digits : null;
}

/** Recovery codes cannot be guessed. */
async function countWrong({ record }: Pick<AuthParts, 'record'>, { factor, code }: Given): Promise<void> {
  if (digitsOf(code) === null) return;
  const { userId, secret, wrongCodes } = secondFactors;
  const own = and(eq(userId, factor.userId), eq(secret, factor.secret));
  const more = { wrongCodes: sql`${wrongCodes} + 1` };
  await record.write((tx) => tx.update(secondFactors).set(more).where(own), { mayUseReserve: true });
}

/** Whether it was good until now. Of two who come with one code at once, one gets through. */
async function isSpent(
  tx: Database,
  { userId, secret, confirmedAt }: SecondFactorRow,
  shown: Shown,
): Promise<boolean> {
  const ofUser = eq(secondFactors.userId, userId);
  if (shown.by === 'recovery code') {
    const own = and(eq(recoveryCodes.id, shown.id), eq(recoveryCodes.userId, userId));
    const spent = await tx.delete(recoveryCodes).where(own).returning({ id: recoveryCodes.id });
    if (spent.length > 0) await tx.update(secondFactors).set({ wrongCodes: 0 }).where(ofUser);
    return spent.length > 0;
  }
  const { lastStep, wrongCodes } = secondFactors;
  // A code that was taken while the clock was ahead is no reason to refuse those of now.
  const isNew = or(isNull(lastStep), lt(lastStep, shown.step), gt(lastStep, shown.step + 2));
  const isAsSeen = confirmedAt ? isNotNull(secondFactors.confirmedAt) : isNull(secondFactors.confirmedAt);
  const spent = await tx
    .update(secondFactors)
    .set({ lastStep: shown.step, wrongCodes: 0 })
    .where(and(ofUser, eq(secondFactors.secret, secret), isAsSeen, isNew, lt(wrongCodes, wrongCodesMax)))
    .returning({ userId: secondFactors.userId });
  return spent.length > 0;
}
