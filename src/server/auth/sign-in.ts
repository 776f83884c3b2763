import type { Database } from '#server/db/client.ts';
import type { users } from '#server/db/schema/accounts.ts';
import type { User } from '#shared/accounts.ts';
import type { IssuedSession } from './auth.ts';
import type { AuthParts } from './auth-parts.ts';
import type { LiveSession } from './sessions.ts';

export type UserRow = typeof users.$inferSelect;

/** A new session for a user who has shown who it is; `beside` is written with it. */
export async function signIn(
  { sessions }: Pick<AuthParts, 'sessions'>,
  user: UserRow,
  beside?: (tx: Database) => Promise<void>,
): Promise<{ user: User; session: IssuedSession }> {
  return { user: toUser(user), session: toIssued(await sessions.create(user.id, beside)) };
}

export function toIssued(session: LiveSession): IssuedSession {
  return { cookieValue: session.id, expiresAt: session.expiresAt };
}

export function toUser(row: UserRow): User {
  const { id, email, username, firstName, lastName } = row;
  return { id, email, username, firstName, lastName, createdAt: row.createdAt.toISOString() };
}
