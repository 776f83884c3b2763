import { eq } from 'drizzle-orm';
import type { Origin } from '#server/audit/audit-entry.ts';
import { writeAuditEntry } from '#server/audit/write-audit-entry.ts';
import { users } from '#server/db/schema/accounts.ts';
import { AppError } from '#server/errors.ts';
import type { LoginInput } from '#shared/accounts.ts';
import { addressGroup } from './address.ts';
import type { Auth } from './auth.ts';
import type { AuthParts } from './auth-parts.ts';
import { identityKey } from './identity.ts';
import { signIn, type UserRow } from './sign-in.ts';

export async function login(parts: AuthParts, input: LoginInput, from: Origin): ReturnType<Auth['login']> {
  const { record, passwords, log, clock, addressTries, accountTries } = parts;
  const { address, requestId } = from;
  const emailKey = identityKey(input.email);
  const tried = addressTries.take(addressGroup(address));
  const account = accountTries.take(emailKey);
  const [user] = await record.db.select().from(users).where(eq(users.emailKey, emailKey));
  const isRight = await passwords.verify(user?.passwordHash ?? null, input.password);
  if (!user || !isRight) {
    log.info('login refused', { requestId, address });
    throw new AppError('UNAUTHORIZED', 'Invalid email or password');
  }
  tried.giveBack();
  account.giveBack();
  await renewHash(parts, user, input.password);
  const actor = { kind: 'user', id: user.id, name: user.username } as const;
  const act = { at: clock(), action: 'auth.login', actor, workspaceId: null, target: null, from };
  const signedIn = await signIn(parts, user, (tx) => writeAuditEntry(tx, act));
  log.info('login', { userId: user.id, requestId, address });
  return signedIn;
}

/** Better late than not signed in: a hash that could not be renewed is tried again at the next login. */
async function renewHash(
  { record, passwords, log }: AuthParts,
  user: UserRow,
  password: string,
): Promise<void> {
  if (!passwords.isOutdated(user.passwordHash)) return;
  const passwordHash = await passwords.hash(password);
  try {
    await record.write((tx) => tx.update(users).set({ passwordHash }).where(eq(users.id, user.id)));
  } catch (error) {
    log.warn('a password hash was not renewed', { error });
  }
}
