import { badRequest } from '#server/errors.ts';
import type { AuthParts } from '../auth-parts.ts';
import type { UserRow } from '../sign-in.ts';

/**
 * Asks who is signed in for the password once more. Guesses are counted by session: the account's owner signs in elsewhere meanwhile.
 * @throws AppError BAD_REQUEST at `field`, TOO_MANY_REQUESTS
 */
export async function assertPassword(
  { passwords, loginTries }: Pick<AuthParts, 'passwords' | 'loginTries'>,
  { emailKey, passwordHash }: UserRow,
  given: { sessionId: string; password: string; field: string },
): Promise<void> {
  const { sessionId, password, field } = given;
  const tried = await loginTries.begin({ emailKey, by: `session ${sessionId}` });
  const isRight = await passwords
    .verify(passwordHash, password, { account: emailKey })
    .catch((error: unknown) => tried.failWith(error));
  if (isRight) return await tried.wasRight();
  await tried.wasWrong();
  throw badRequest(field, 'is not your password');
}
