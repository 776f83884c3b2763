import { eq } from 'drizzle-orm';
import type { Origin } from '#server/audit/audit-entry.ts';
import { writeAuditEntry } from '#server/audit/write-audit-entry.ts';
import type { Database } from '#server/db/client.ts';
import { users } from '#server/db/schema/accounts.ts';
import { AppError, badRequest } from '#server/errors.ts';
import type { AuthParts } from '../auth-parts.ts';
import type { UserRow } from '../sign-in.ts';

/** Nobody mistypes so often in a row: it is somebody who has the cookie and not the password. */
const wrongInARowMax = 10;

type Parts = Pick<AuthParts, 'passwords' | 'loginTries' | 'sessions' | 'clock' | 'log'>;

/** What somebody who is signed in shows once more, at a field of the input. */
interface Given {
  sessionId: string;
  password: string;
  field: string;
  from: Origin;
}

/**
 * Asks who is signed in for the password once more. Guesses are counted by session: the account's owner signs in elsewhere meanwhile. After
 * ten wrong ones in a row the session ends.
 * @throws AppError BAD_REQUEST at `field`, UNAUTHORIZED (the session has ended by it), TOO_MANY_REQUESTS
 */
export async function assertPassword(parts: Parts, user: UserRow, given: Given): Promise<void> {
  const { passwords, loginTries } = parts;
  const { emailKey, passwordHash } = user;
  const { sessionId, password, field } = given;
  const tried = await loginTries.begin({ emailKey, by: `session ${sessionId}` });
  const isRight = await passwords
    .verify(passwordHash, password, { account: emailKey })
    .catch((error: unknown) => tried.failWith(error));
  if (isRight) return await tried.wasRight();
  await tried.wasWrong();
  if (tried.inARow < wrongInARowMax) throw badRequest(field, 'is not right');
  await endSession(parts, user, { ...given, wrongPasswords: tried.inARow });
  throw new AppError(
    'UNAUTHORIZED',
    `The password was wrong ${tried.inARow} times, so this session has ended; sign in again`,
  );
}

/**
 * Asked in the transaction that rests on a password, which it was shown before: whoever has set another one meanwhile has shut out who knew the former.
 * Locks the account's row. @throws AppError CONFLICT
 */
export async function assertPasswordStands(
  tx: Database,
  { id, passwordHash }: Pick<UserRow, 'id' | 'passwordHash'>,
): Promise<void> {
  const [now] = await tx
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, id))
    .for('update');
  if (now?.passwordHash === passwordHash) return;
  throw new AppError('CONFLICT', 'The password was changed meanwhile, so nothing else was; try again');
}

async function endSession(
  { sessions, clock, log }: Parts,
  { id, username: name }: UserRow,
  { sessionId, from, wrongPasswords }: Given & { wrongPasswords: number },
): Promise<void> {
  const actor = { kind: 'user', id, name } as const;
  const target = { kind: 'account', id, name } as const;
  const after = { wrongPasswords };
  const act = { at: clock(), action: 'auth.endSession', actor, workspaceId: null, target, after, from };
  await sessions.end(sessionId, (tx) => writeAuditEntry(tx, act));
  const { requestId, address } = from;
  log.warn('a session has ended: whoever has it does not know the password', {
    userId: id,
    requestId,
    address,
  });
}
