import { eq } from 'drizzle-orm';
import { addressGroup } from '#server/admission/address.ts';
import { accountName } from '#server/admission/requester.ts';
import { writeAuditEntry } from '#server/audit/write-audit-entry.ts';
import type { Database } from '#server/db/client.ts';
import { users } from '#server/db/schema/accounts.ts';
import { AppError, badRequest } from '#server/errors.ts';
import type { Mailer } from '#server/mail/mailer.ts';
import type { ProfileUpdate } from '#shared/accounts.ts';
import type { ProfileChange } from '../auth.ts';
import type { AuthParts } from '../auth-parts.ts';
import { assertPassword, assertPasswordStands } from '../passwords/assert-password.ts';
import { askCode } from '../second-factor/ask-code.ts';
import { toUser, type UserRow } from '../sign-in.ts';
import { findTaken, identityKeysOf, takenFields, takenMeanwhile } from '../taken.ts';
import type { Asking, Visitor } from '../visitor.ts';
import { type EmailLink, keepEmailLink, makeEmailLink } from './email-links.ts';
import { linkLetter } from './letters.ts';
import { setEmail } from './set-email.ts';

/** See `Profile.update`. */
export async function updateProfile(
  parts: AuthParts & { mailer: Mailer | null },
  { principal, from }: Asking & { from: Visitor },
  { currentPassword, code, ...changes }: ProfileUpdate,
): Promise<ProfileChange> {
  const { record, devices, clock, log } = parts;
  const own = record.as(accountName(principal.userId));
  const [user] = await own.db.select().from(users).where(eq(users.id, principal.userId));
  if (!user) throw new AppError('UNAUTHORIZED', 'Sign in to do this');
  const next = { ...user, ...given(changes) };
  const isMoving = next.email !== user.email;
  if (isMoving) {
    if (currentPassword === undefined)
      throw badRequest('currentPassword', 'is required to change your email');
    const { sessionId } = principal;
    await assertPassword(parts, user, {
      sessionId,
      password: currentPassword,
      field: 'currentPassword',
      from,
    });
  }
  await assertFree(parts, { next, address: from.address });
  // It is used up, so what can be refused is refused before.
  if (isMoving) await askCode(parts, user, code);
  const link = isMoving && parts.mailer ? await sendLink(parts, parts.mailer, next) : null;
  const updated = await own
    .write((tx) => write(tx, { user, next, link, now: clock(), from }))
    // Somebody else was faster between the look and the write.
    .catch((error: unknown) => {
      throw takenMeanwhile(error) ?? error;
    });
  log.info('profile updated', { userId: user.id, requestId: from.requestId, address: from.address });
  return {
    user: toUser(updated),
    pendingEmail: link && { email: link.email, expiresAt: link.expiresAt.toISOString() },
    device: updated.email === user.email ? null : devices.issue(from.device, updated.emailKey),
  };
}

type Names = Pick<UserRow, 'firstName' | 'lastName' | 'username' | 'email'>;
const names = ['firstName', 'lastName', 'username', 'email'] as const;

/** What is absent stays. */
function given(changes: Omit<ProfileUpdate, 'currentPassword' | 'code'>): Partial<Names> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

/** An answer "taken" tells that an account exists, so it counts like signing in. @throws AppError CONFLICT, TOO_MANY_REQUESTS */
async function assertFree(
  { record, addressTries }: AuthParts,
  { next, address }: { next: UserRow; address: string },
): Promise<void> {
  const tried = addressTries.take(addressGroup(address));
  const taken = await findTaken(record.as(accountName(next.id)).db, next, next.id).catch((error: unknown) => {
    tried.giveBack();
    throw error;
  });
  if (taken.length > 0) throw takenFields(taken);
  tried.giveBack();
}

/** Before anything is written: where no letter can be sent, nothing is changed. @throws AppError UNAVAILABLE, TOO_MANY_REQUESTS */
async function sendLink(
  { settings, clock, log, letters }: AuthParts,
  send: Mailer,
  { id, email }: Pick<UserRow, 'id' | 'email'>,
): Promise<EmailLink> {
  letters.emailLinks.take(String(id));
  const link = makeEmailLink(email, clock());
  try {
    await send(linkLetter(settings, link));
    return link;
  } catch (error) {
    log.warn('a link to a new email was not sent', { error });
    const why = `The letter to ${email} could not be sent, so nothing was changed. Check the address and try again`;
    throw new AppError('UNAVAILABLE', why, { cause: error });
  }
}

interface Written {
  user: UserRow;
  next: UserRow;
  /** Null: the email is what `next` says at once. */
  link: EmailLink | null;
  now: Date;
  from: Asking['from'];
}

async function write(tx: Database, { user, next, link, now, from }: Written): Promise<UserRow> {
  const { id, firstName, lastName, username } = next;
  const { usernameKey } = identityKeysOf(next);
  if (next.email !== user.email) await assertPasswordStands(tx, user);
  const [updated] = await tx
    .update(users)
    .set({ firstName, lastName, username, usernameKey })
    .where(eq(users.id, id))
    .returning();
  if (!updated) throw new AppError('UNAUTHORIZED', 'Sign in to do this');
  if (link) await keepEmailLink(tx, { userId: id, link, now });
  const settled = link || next.email === user.email ? updated : await setEmail(tx, { id, email: next.email });
  const changed = names.filter((name) => user[name] !== next[name]);
  const pick = (row: UserRow) =>
    Object.fromEntries(changed.map((name) => [link && name === 'email' ? 'pendingEmail' : name, row[name]]));
  await writeAuditEntry(tx, {
    at: now,
    action: 'account.update',
    actor: { kind: 'user', id, name: user.username },
    workspaceId: null,
    target: { kind: 'account', id, name: username },
    before: link ? { ...pick(user), pendingEmail: null } : pick(user),
    after: pick(next),
    from,
  });
  return settled;
}
