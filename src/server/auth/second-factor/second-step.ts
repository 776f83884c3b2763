import { writeAuditEntry } from '#server/audit/write-audit-entry.ts';
import { AppError } from '#server/errors.ts';
import type { SecondStep } from '#shared/second-factor.ts';
import type { SignedIn, Visitor } from '../auth.ts';
import type { AuthParts } from '../auth-parts.ts';
import { signIn } from '../sign-in.ts';
import { addressGroup } from '../tries/address.ts';
import { findPendingLogin } from './pending-login.ts';
import { spendCode } from './spend-code.ts';

/** Signs in whoever has shown the password lately, in the same browser, and now shows a code. */
export async function secondStep(parts: AuthParts, { code }: SecondStep, from: Visitor): Promise<SignedIn> {
  const { addressTries, log, clock } = parts;
  // Cookies cannot be guessed; trying is limited like signing in all the same.
  const asked = addressTries.take(addressGroup(from.address));
  const pending = await findPendingLogin(parts, from.pendingLogin);
  if (!pending) throw new AppError('UNAUTHORIZED', 'Your password was given too long ago; sign in again');
  asked.giveBack();
  const { user, factor } = pending;
  const actor = { kind: 'user', id: user.id, name: user.username } as const;
  const words = 'is not right, or was used already';
  const wrong = new AppError('UNAUTHORIZED', `This code ${words}`, {
    details: [{ path: 'code', message: words }],
    subject: { ...actor, workspaceId: null },
  });
  const { address, requestId } = from;
  const signedIn = await spendCode(parts, { user, factor, code, address, wrong }, ({ by }, spend) =>
    signIn(parts, user, {
      from,
      hasShownCode: true,
      beside: async (tx) => {
        await spend(tx);
        const act = { at: clock(), action: 'auth.secondStep', actor, workspaceId: null, target: null, from };
        await writeAuditEntry(tx, { ...act, after: { by } });
      },
    }),
  );
  log.info('login', { userId: user.id, by: 'code', requestId, address });
  return signedIn;
}
