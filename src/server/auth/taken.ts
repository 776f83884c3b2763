import { and, eq, ne, or } from 'drizzle-orm';
import type { ReadDatabase } from '#server/db/client.ts';
import { users } from '#server/db/schema/accounts.ts';
import { violatedUnique } from '#server/db/violated-unique.ts';
import { AppError } from '#server/errors.ts';
import { identityKey } from './identity.ts';
import type { UserRow } from './sign-in.ts';

/** What no two accounts have alike. */
export type IdentityField = 'email' | 'username';

type Named = Pick<UserRow, IdentityField>;

/** What accounts are told apart by. */
export function identityKeysOf({ email, username }: Named): Pick<UserRow, 'emailKey' | 'usernameKey'> {
  return { emailKey: identityKey(email), usernameKey: identityKey(username) };
}

/** Which of the two another account has. `ownId`: whose they are to be; absent: a new account's. */
export async function findTaken(db: ReadDatabase, named: Named, ownId?: number): Promise<IdentityField[]> {
  const { emailKey, usernameKey } = identityKeysOf(named);
  const rivals = await db
    .select({ emailKey: users.emailKey, usernameKey: users.usernameKey })
    .from(users)
    .where(
      and(
        or(eq(users.emailKey, emailKey), eq(users.usernameKey, usernameKey)),
        ownId === undefined ? undefined : ne(users.id, ownId),
      ),
    );
  const fields: IdentityField[] = [];
  if (rivals.some((rival) => rival.emailKey === emailKey)) fields.push('email');
  if (rivals.some((rival) => rival.usernameKey === usernameKey)) fields.push('username');
  return fields;
}

/** What is answered when somebody else was faster between the look and the write; null: the error is another one. */
export function takenMeanwhile(error: unknown): AppError | null {
  const index = violatedUnique(error);
  if (index === 'users_email_key') return takenFields(['email']);
  return index === 'users_username_key' ? takenFields(['username']) : null;
}

export function takenFields(fields: IdentityField[]): AppError {
  const details = fields.map((path) => ({ path, message: 'is already taken' }));
  const [first] = fields;
  const words = fields.length > 1 ? 'This email and this username are' : `This ${first} is`;
  return new AppError('CONFLICT', `${words} already taken`, { details });
}
