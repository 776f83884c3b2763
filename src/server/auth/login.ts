import { and, eq, isNotNull } from 'drizzle-orm';
import { writeAuditEntry } from '#server/audit/write-audit-entry.ts';
import { secondFactors, users } from '#server/db/schema/accounts.ts';
import { AppError, type Subject } from '#server/errors.ts';
import type { LoginInput } from '#shared/accounts.ts';
import type { AuthParts } from './auth-parts.ts';
import { identityKey } from './identity.ts';
import { issuePendingLogin } from './second-factor/pending-login.ts';
import { signIn, type UserRow } from './sign-in.ts';
import type { Whose } from './tries/turn-queue.ts';
import type { CodeAwaited, SignedIn, Visitor } from './visitor.ts';

export async function login(
  parts: AuthParts,
  input: LoginInput,
  from: Visitor,
): Promise<SignedIn | CodeAwaited> {
  const emailKey = identityKey(input.email);
  try {
    return await tryLogin(parts, { emailKey, password: input.password, from });
  } catch (error) {
    if (error instanceof AppError) error.subject ??= unknownAccount(parts, emailKey);
    throw error;
  }
}

/** By a keyed hash: who reads the log sees that it is one account, and learns no email that was mistyped or made up. */
function unknownAccount({ secrets }: AuthParts, emailKey: string): Subject {
  const name = secrets.sign('refused account', emailKey).slice(0, 16);
  return { kind: 'nobody', id: null, name, workspaceId: null, emailKey };
}

interface LoginTry {
  emailKey: string;
  password: string;
  from: Visitor;
}

async function tryLogin(
  parts: AuthParts,
  { emailKey, password, from }: LoginTry,
): Promise<SignedIn | CodeAwaited> {
  const { log, clock, devices, loginTries } = parts;
  const { address, requestId } = from;
  const device = devices.recognise(from.device, emailKey);
  const tried = await loginTries.begin({ emailKey, address, device });
  // A known device does not wait behind a flood of strangers.
  const whose = device === null ? { address } : { account: emailKey };
  const { user, isRight, hasSecondFactor } = await findByPassword(parts, { emailKey, password, whose }).catch(
    (error: unknown) => tried.failWith(error),
  );
  // Whoever is shut out hears what a stranger hears.
  if (!user || !isRight || user.disabledAt) {
    await tried.wasWrong();
    const known = user && ({ kind: 'user', id: user.id, name: user.username, workspaceId: null } as const);
    throw new AppError('UNAUTHORIZED', 'Invalid email or password', known ? { subject: known } : {});
  }
  await tried.wasRight();
  await renewHash(parts, user, password);
  if (hasSecondFactor) {
    log.info('a code is asked for', { userId: user.id, requestId, address });
    return { pendingLogin: issuePendingLogin(parts, user) };
  }
  const actor = { kind: 'user', id: user.id, name: user.username } as const;
  const act = { at: clock(), action: 'auth.login', actor, workspaceId: null, target: null, from };
  const signedIn = await signIn(parts, user, { from, beside: (tx) => writeAuditEntry(tx, act) });
  log.info('login', { userId: user.id, requestId, address });
  return signedIn;
}

/** The same work whether there is such an account or not. */
async function findByPassword(
  { record, passwords, lookUps }: AuthParts,
  { emailKey, password, whose }: { emailKey: string; password: string; whose: Whose },
): Promise<{ user: UserRow | undefined; isRight: boolean; hasSecondFactor: boolean }> {
  const isOwn = and(eq(secondFactors.userId, users.id), isNotNull(secondFactors.confirmedAt));
  const [found] = await lookUps(whose, () =>
    record.db
      .select({ user: users, factor: secondFactors.userId })
      .from(users)
      .leftJoin(secondFactors, isOwn)
      .where(eq(users.emailKey, emailKey)),
  );
  const isRight = await passwords.verify(found?.user.passwordHash ?? null, password, whose);
  return { user: found?.user, isRight, hasSecondFactor: found?.factor != null };
}

/** Better late than not signed in: a hash that could not be renewed is tried again at the next login. */
async function renewHash(
  { record, passwords, log }: AuthParts,
  user: UserRow,
  password: string,
): Promise<void> {
  if (!passwords.isOutdated(user.passwordHash)) return;
  try {
    const passwordHash = await passwords.hash(password, { account: user.emailKey });
    const isSame = and(eq(users.id, user.id), eq(users.passwordHash, user.passwordHash));
    await record.write((tx) => tx.update(users).set({ passwordHash }).where(isSame));
    user.passwordHash = passwordHash;
  } catch (error) {
    log.warn('a password hash was not renewed', { error });
  }
}
