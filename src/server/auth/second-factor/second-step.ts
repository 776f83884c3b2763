import { writeAuditEntry } from '#server/audit/write-audit-entry.ts';
import { AppError } from '#server/errors.ts';
import type { SecondStep } from '#shared/second-factor.ts';
import type { AuthParts } from '../auth-parts.ts';
import { signIn } from '../sign-in.ts';
import type { SignedIn, Visitor } from '../visitor.ts';
import { findPendingLogin } from './pending-login.ts';
import { spendCode } from './spend-code.ts';

/** Signs in whoever has shown the password lately, in the same browser, and now shows a code. */
export async function secondStep(parts: AuthParts, { code }: SecondStep, from: Visitor): Promise<SignedIn> {
  const { log, clock } = parts;
  const pending = await findPendingLogin(parts, from.pendingLogin);
  if (!pending) throw new AppError('UNAUTHORIZED', 'Your password was given too long ago; sign in again');
  const { user, factor } = pending;
  const actor = { kind: 'user', id: user.id, name: user.username } as const;
  const refuse = (why: string) =>
    new AppError('UNAUTHORIZED', `This code ${why}`, {
      details: [{ path: 'code', message: why }],
      subject: { ...actor, workspaceId: null },
    });
  const { address, requestId } = from;
  const signedIn = await spendCode(parts, { user, factor, code, refuse }, ({ by }, spend) =>
    signIn(parts, user, {
      from,
      hasShownCode: true,
      beside: async (tx) => {
        await spend(tx);
        const act = { at: clock(), action: 'auth.secondStep', actor, workspaceId: null, target: null, from };
        await writeAuditEntry(tx, { ...act, after: { by } });
      },
    }),
  ).catch((error: unknown) => {
    if (error instanceof AppError) error.subject ??= { ...actor, workspaceId: null };
    throw error;
  });
  log.info('login', { userId: user.id, by: 'code', requestId, address });
  return signedIn;
}
