import { writeAuditEntry } from '#server/audit/write-audit-entry.ts';
import type { PasswordReset, ResetLink } from '#shared/accounts.ts';
import type { AuthParts } from '../auth-parts.ts';
import type { UserRow } from '../sign-in.ts';
import { tryLink } from '../tries/try-link.ts';
import type { Visitor } from '../visitor.ts';
import { assertUncommon } from './password-rules.ts';
import { getReset, spendReset } from './reset-links.ts';
import { setPassword } from './set-password.ts';

/** Whose password a link sets. */
export async function getResetLink(
  parts: AuthParts,
  token: string,
  from: Visitor,
): Promise<ResetLink & { user: UserRow }> {
  const now = parts.clock();
  const { user, expiresAt } = await tryLink(parts, from, () => getReset(parts.record.db, { token, now }));
  return { user, email: user.email, expiresAt: expiresAt.toISOString() };
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
  const { user } = await getResetLink(parts, token, from);
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
