import { eq } from 'drizzle-orm';
import type { Origin } from '#server/audit/audit-entry.ts';
import { writeAuditEntry } from '#server/audit/write-audit-entry.ts';
import { users } from '#server/db/schema/accounts.ts';
import { AppError } from '#server/errors.ts';
import type { PasswordChange } from '#shared/accounts.ts';
import type { AuthParts } from '../auth-parts.ts';
import type { UserPrincipal } from '../principal.ts';
import { assertPassword, assertPasswordStands } from './assert-password.ts';
import { assertUncommon } from './password-rules.ts';
import { setPassword } from './set-password.ts';

/** Needs the current password: whoever finds a browser signed in cannot take the account over. The other sessions end. */
export async function changePassword(
  parts: AuthParts,
  { userId, sessionId }: UserPrincipal,
  { input, from }: { input: PasswordChange; from: Origin },
): Promise<void> {
  const { record, passwords, log, clock } = parts;
  const [user] = await record.db.select().from(users).where(eq(users.id, userId));
  if (!user) throw new AppError('UNAUTHORIZED', 'Sign in to do this');
  const shown = { sessionId, password: input.currentPassword, field: 'currentPassword', from };
  await assertPassword(parts, user, shown);
  assertUncommon({ ...user, password: input.password });
  const passwordHash = await passwords.hash(input.password, { account: user.emailKey });
  const actor = { kind: 'user', id: userId, name: user.username } as const;
  const target = { kind: 'account', id: userId, name: user.username } as const;
  await record.write(async (tx) => {
    await assertPasswordStands(tx, user);
    await setPassword(tx, { userId, passwordHash, keptSession: sessionId });
    const at = clock();
    await writeAuditEntry(tx, { at, action: 'auth.changePassword', actor, workspaceId: null, target, from });
  });
  log.info('password changed', { userId, requestId: from.requestId, address: from.address });
}
