import { writeAuditEntry } from '#server/audit/write-audit-entry.ts';
import type { Mailer } from '#server/mail/mailer.ts';
import type { AuthParts } from '../auth-parts.ts';
import { identityKey } from '../identity.ts';
import type { UserRow } from '../sign-in.ts';
import { takenMeanwhile } from '../taken.ts';
import { tryLink } from '../tries/try-link.ts';
import type { Visitor } from '../visitor.ts';
import { getEmailLink, spendEmailLink } from './email-links.ts';
import { movedLetter } from './letters.ts';
import { setEmail } from './set-email.ts';

/** Which email a link makes an account's. */
export function getEmailChange(
  parts: AuthParts,
  token: string,
  from: Visitor,
): Promise<{ user: UserRow; email: string; expiresAt: Date }> {
  const now = parts.clock();
  return tryLink(parts, from, () => getEmailLink(parts.record.db, { token, now }));
}

/** See `Profile.confirmEmail`. `tell`: sends a letter some time after the return. */
export async function confirmEmail(
  parts: AuthParts & { tell: (letter: Parameters<Mailer>[0]) => void },
  token: string,
  from: Visitor,
): Promise<{ email: string; device: string }> {
  const { record, devices, log, clock } = parts;
  const { user, email } = await getEmailChange(parts, token, from);
  const { id: userId, username: name } = user;
  const act = {
    action: 'account.confirmEmail',
    actor: { kind: 'user', id: userId, name },
    workspaceId: null,
    target: { kind: 'account', id: userId, name },
    before: { email: user.email },
    after: { email },
    from,
  } as const;
  await record
    .write(async (tx) => {
      const now = clock();
      await spendEmailLink(tx, { userId, token, now });
      await setEmail(tx, { id: userId, email });
      await writeAuditEntry(tx, { at: now, ...act });
    })
    .catch((error: unknown) => {
      throw takenMeanwhile(error) ?? error;
    });
  parts.tell(movedLetter({ from: user.email, to: email }));
  log.info('email confirmed', { userId, requestId: from.requestId, address: from.address });
  return { email, device: devices.issue(from.device, identityKey(email)) };
}
