import { addressGroup } from '#server/admission/address.ts';
import { writeAuditEntry } from '#server/audit/write-audit-entry.ts';
import { AppError } from '#server/errors.ts';
import type { PasswordReset, ResetLink } from '#shared/accounts.ts';
import type { Visitor } from '../auth.ts';
import type { AuthParts } from '../auth-parts.ts';
import type { UserRow } from '../sign-in.ts';
import { assertUncommon } from './password-rules.ts';
import { getReset, spendReset } from './reset-links.ts';
import { setPassword } from './set-password.ts';

/**
 * Whose password a link sets. Tokens cannot be guessed; made-up ones are limited by address all the same. What nobody could look up counts as
 * none of these.
 */
export async function findResetLink(
  { record, clock, unknownLinks, lookUps }: AuthParts,
  token: string,
  from: Visitor,
): Promise<ResetLink & { user: UserRow }> {
  const tried = unknownLinks.take(addressGroup(from.address));
  try {
    const { user, expiresAt } = await lookUps(from, () => getReset(record.db, { token, now: clock() }));
    tried.giveBack();
    return { user, email: user.email, expiresAt: expiresAt.toISOString() };
  } catch (error) {
    const isMadeUp = error instanceof AppError && error.code === 'NOT_FOUND';
    if (!isMadeUp) tried.giveBack();
    throw error;
  }
}

/**
 * Sets the password by a link. All sessions end. The browser is known to the account from now on, so that its owner can sign in however
 * many others guess.
 */
export async function resetPassword(
  parts: AuthParts,
  { token, password }: PasswordReset,
  from: Visitor,
): Promise<{ userId: number; email: string; device: string }> {
  const { record, passwords, devices, log, clock } = parts;
  const { user } = await findResetLink(parts, token, from);
  assertUncommon({ ...user, password });
  // Whoever has the link has shown more than a stranger.
  const passwordHash = await passwords.hash(password, { account: user.emailKey });
  const target = { kind: 'account', id: user.id, name: user.username } as const;
  const actor = { kind: 'user', id: user.id, name: user.username } as const;
  await record.write(async (tx) => {
    const at = clock();
    await spendReset(tx, { userId: user.id, token, now: at });
    await setPassword(tx, { userId: user.id, passwordHash, keptSession: null });
    await writeAuditEntry(tx, { at, action: 'auth.resetPassword', actor, workspaceId: null, target, from });
  });
  log.info('password reset', { userId: user.id, requestId: from.requestId, address: from.address });
  return { userId: user.id, email: user.email, device: devices.issue(from.device, user.emailKey) };
}
