import type { users } from '#server/db/schema/accounts.ts';
import type { User } from '#shared/accounts.ts';
import type { AuthParts } from './auth-parts.ts';
import type { Beside, LiveSession } from './sessions/sessions.ts';
import type { IssuedSession, SignedIn, Visitor } from './visitor.ts';

export type UserRow = typeof users.$inferSelect;

/** A new session for a user who has shown who it is, on a device that is known from now on; `beside` is written with it. */
export async function signIn(
  { sessions, devices }: Pick<AuthParts, 'sessions' | 'devices'>,
  user: UserRow,
  { from, hasShownCode = false, beside }: { from: Visitor; hasShownCode?: boolean; beside?: Beside },
): Promise<SignedIn> {
  const session = await sessions.create(user.id, {
    from,
    shown: { passwordHash: user.passwordHash, code: hasShownCode },
    ...(beside && { beside }),
  });
  const device = devices.issue(from.device, user.emailKey);
  return { user: toUser(user), session: toIssued(session), device };
}

export function toIssued(session: LiveSession): IssuedSession {
  return { cookieValue: session.id, expiresAt: session.expiresAt };
}

export function toUser(row: UserRow): User {
  const { id, email, username, firstName, lastName } = row;
  return { id, email, username, firstName, lastName, createdAt: row.createdAt.toISOString() };
}
