import { and, eq } from 'drizzle-orm';
import { writeAuditEntry } from '#server/audit/write-audit-entry.ts';
import { users } from '#server/db/schema/accounts.ts';
import { AppError } from '#server/errors.ts';
import type { LoginInput } from '#shared/accounts.ts';
import { addressGroup } from './address.ts';
import type { SignedIn, Visitor } from './auth.ts';
import type { AuthParts } from './auth-parts.ts';
import { identityKey } from './identity.ts';
import { signIn, type UserRow } from './sign-in.ts';

export async function login(parts: AuthParts, input: LoginInput, from: Visitor): Promise<SignedIn> {
  const { log, clock, devices, loginTries } = parts;
  const { address, requestId } = from;
  const emailKey = identityKey(input.email);
  const device = devices.recognise(from.device, emailKey);
  const tried = await loginTries.begin({ emailKey, address, device });
  // A known device does not wait behind a flood from its own address.
  const group = device ?? addressGroup(address);
  const user = await findByPassword(parts, { emailKey, password: input.password, group }).catch(
    (error: unknown) => tried.failWith(error),
  );
  if (!user) {
    await tried.wasWrong();
    log.info('login refused', { requestId, address });
    throw new AppError('UNAUTHORIZED', 'Invalid email or password');
  }
  await tried.wasRight();
  await renewHash(parts, user, input.password);
  const actor = { kind: 'user', id: user.id, name: user.username } as const;
  const act = { at: clock(), action: 'auth.login', actor, workspaceId: null, target: null, from };
  const signedIn = await signIn(parts, user, { from, beside: (tx) => writeAuditEntry(tx, act) });
  log.info('login', { userId: user.id, requestId, address });
  return signedIn;
}

/** The same work whether there is such an account or not. */
async function findByPassword(
  { record, passwords }: AuthParts,
  { emailKey, password, group }: { emailKey: string; password: string; group: string },
): Promise<UserRow | null> {
  const [user] = await record.db.select().from(users).where(eq(users.emailKey, emailKey));
  const isRight = await passwords.verify(user?.passwordHash ?? null, password, group);
  return user && isRight ? user : null;
}

/** Better late than not signed in: a hash that could not be renewed is tried again at the next login. */
async function renewHash(
  { record, passwords, log }: AuthParts,
  user: UserRow,
  password: string,
): Promise<void> {
  if (!passwords.isOutdated(user.passwordHash)) return;
  try {
    const passwordHash = await passwords.hash(password, user.emailKey);
    const isSame = and(eq(users.id, user.id), eq(users.passwordHash, user.passwordHash));
    await record.write((tx) => tx.update(users).set({ passwordHash }).where(isSame));
    user.passwordHash = passwordHash;
  } catch (error) {
    log.warn('a password hash was not renewed', { error });
  }
}
