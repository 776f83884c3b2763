import { eq } from 'drizzle-orm';
import { accountName } from '#server/admission/requester.ts';
import { writeAuditEntry } from '#server/audit/write-audit-entry.ts';
import { users } from '#server/db/schema/accounts.ts';
import { AppError } from '#server/errors.ts';
import type { Mailer } from '#server/mail/mailer.ts';
import type { Profile } from '../auth.ts';
import type { AuthParts } from '../auth-parts.ts';
import type { Asking } from '../visitor.ts';
import { confirmEmail, getEmailChange } from './confirm-email.ts';
import { dropEmailLink, findPendingEmail } from './email-links.ts';
import { updateProfile } from './update-profile.ts';

export function createProfile(parts: AuthParts, mailer: Mailer | null): Profile {
  const { record, clock, log } = parts;
  const underWay = new Set<Promise<void>>();
  const tell = (letter: Parameters<Mailer>[0]) => {
    if (mailer === null) return;
    const sending = mailer(letter)
      .catch((error: unknown) => log.warn('a letter about a changed email was not sent', { error }))
      .finally(() => underWay.delete(sending));
    underWay.add(sending);
  };
  return {
    update: (asking, input) => updateProfile({ ...parts, mailer }, asking, input),
    findPendingEmail: ({ userId }) =>
      findPendingEmail(record.as(accountName(userId)).db, { userId, now: clock() }),
    cancelEmail: (asking) => cancelEmail(parts, asking),
    async emailLink(token, from) {
      const { email, expiresAt } = await getEmailChange(parts, token, from);
      return { email, expiresAt: expiresAt.toISOString() };
    },
    confirmEmail: (token, from) => confirmEmail({ ...parts, tell }, token, from),
    async close() {
      await Promise.all(underWay);
    },
  };
}

async function cancelEmail({ record, clock }: AuthParts, { principal, from }: Asking): Promise<void> {
  const { userId } = principal;
  await record.as(accountName(userId)).write(async (tx) => {
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update');
    if (!user) throw new AppError('UNAUTHORIZED', 'Sign in to do this');
    if (!(await dropEmailLink(tx, userId))) return;
    const name = user.username;
    await writeAuditEntry(tx, {
      at: clock(),
      action: 'account.cancelEmail',
      actor: { kind: 'user', id: userId, name },
      workspaceId: null,
      target: { kind: 'account', id: userId, name },
      from,
    });
  });
}
