import { eq, or } from 'drizzle-orm';
import type { RecordStore } from '#server/db/client.ts';
import { createWorkspace } from '#server/db/create-workspace.ts';
import { users } from '#server/db/schema/accounts.ts';
import { violatedUnique } from '#server/db/violations.ts';
import type { Settings } from '#server/env.ts';
import { AppError } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import type { LoginInput, RegisterInput, User } from '#shared/accounts.ts';
import { addressGroup } from './address.ts';
import { createKeyCheck } from './api-keys.ts';
import type { Auth, IssuedSession } from './auth.ts';
import { identityKey } from './identity.ts';
import { createLastUse } from './last-use.ts';
import { createSessions, hashSessionId, type LiveSession } from './lucia.ts';
import { assertUncommon } from './password-rules.ts';
import { createPasswords, type Passwords } from './passwords.ts';
import { createBackoffThrottle, createWindowThrottle } from './throttle.ts';

interface AuthParts {
  record: RecordStore;
  settings: Pick<Settings, 'signup' | 'loginFreeTries' | 'loginTriesPerAddress' | 'signupsPerAddress'>;
  log: Log;
  clock: () => Date;
}

type UserRow = typeof users.$inferSelect;
const minuteMs = 60_000;

export function createAuth(parts: AuthParts): Auth {
  const { record, settings, log, clock } = parts;
  const passwords = createPasswords();
  const sessions = createSessions({ record, clock, log });
  const lastUse = createLastUse(record, log);
  const accountTries = createBackoffThrottle(
    { free: settings.loginFreeTries, what: 'tries to sign in' },
    clock,
  );
  const addressTries = createWindowThrottle(
    { limit: settings.loginTriesPerAddress, windowMs: 10 * minuteMs, what: 'tries from this address' },
    clock,
  );
  const signups = createWindowThrottle(
    { limit: settings.signupsPerAddress, windowMs: 60 * minuteMs, what: 'new accounts from this address' },
    clock,
  );
  const open = async (user: UserRow) => ({
    user: describeUser(user),
    session: issue(await sessions.create(user.id)),
  });

  return {
    async register(input, address) {
      if (settings.signup === 'closed') throw new AppError('FORBIDDEN', 'Sign-up is closed on this server');
      assertUncommon(input);
      const group = addressGroup(address);
      // An answer "taken" tells that an account exists, so asking is limited like signing in; only accounts made count as sign-ups.
      const tried = addressTries.take(group);
      const signup = signups.take(group);
      try {
        const user = await insertUser(record, passwords, { input, now: clock() });
        tried.giveBack();
        log.info('account created', { userId: user.id });
        return await open(user);
      } catch (error) {
        signup.giveBack();
        throw error;
      }
    },

    async login(input, address) {
      const emailKey = identityKey(input.email);
      const tried = addressTries.take(addressGroup(address));
      const account = accountTries.take(emailKey);
      const [user] = await record.db.select().from(users).where(eq(users.emailKey, emailKey));
      const isRight = await passwords.verify(user?.passwordHash ?? null, input.password);
      if (!user || !isRight) {
        log.info('login refused', { address });
        throw new AppError('UNAUTHORIZED', 'Invalid email or password');
      }
      tried.giveBack();
      account.giveBack();
      await renewHash({ record, passwords, log }, { user, input });
      log.info('login', { userId: user.id });
      return await open(user);
    },

    async logout(principal) {
      await sessions.end(principal.sessionId);
    },

    async user(principal) {
      const [user] = await record.db.select().from(users).where(eq(users.id, principal.userId));
      return user ? describeUser(user) : null;
    },

    async authenticateSession(cookieValue) {
      if (!/^[a-z2-7]{40}$/.test(cookieValue)) return null;
      const session = await sessions.validate(cookieValue);
      if (!session) return null;
      return {
        principal: { kind: 'user', userId: session.userId, sessionId: hashSessionId(session.id) },
        renewed: session.isRenewed ? issue(session) : null,
      };
    },

    authenticateKey: createKeyCheck(record.db, clock, lastUse),
    pendingUses: lastUse.pending,
    flush: lastUse.flush,
  };
}

function issue(session: LiveSession): IssuedSession {
  return { cookieValue: session.id, expiresAt: session.expiresAt };
}

function describeUser(row: UserRow): User {
  const { id, email, username, firstName, lastName } = row;
  return { id, email, username, firstName, lastName, createdAt: row.createdAt.toISOString() };
}

/** A new account and its first workspace, in one transaction. */
async function insertUser(
  record: RecordStore,
  passwords: Passwords,
  { input, now }: { input: RegisterInput; now: Date },
): Promise<UserRow> {
  const { email, username, firstName, lastName } = input;
  const keys = { emailKey: identityKey(email), usernameKey: identityKey(username) };
  const rivals = await record.db
    .select({ emailKey: users.emailKey, usernameKey: users.usernameKey })
    .from(users)
    .where(or(eq(users.emailKey, keys.emailKey), eq(users.usernameKey, keys.usernameKey)));
  const taken = (['email', 'username'] as const).filter((field) =>
    rivals.some((rival) => rival[`${field}Key`] === keys[`${field}Key`]),
  );
  if (taken.length > 0) throw takenFields(taken);
  await record.assertWritable();
  const passwordHash = await passwords.hash(input.password);
  try {
    return await record.write(async (tx) => {
      const [user] = await tx
        .insert(users)
        .values({ ...keys, email, username, firstName, lastName, passwordHash, createdAt: now })
        .returning();
      if (!user) throw new Error('the inserted user was not returned');
      const name = `${firstName ?? username}'s Workspace`;
      await createWorkspace(tx, { name, description: null, slug: null, ownerId: user.id, now });
      return user;
    });
  } catch (error) {
    // Another sign-up was faster between the look and the insert.
    const index = violatedUnique(error);
    if (index === 'users_email_key') throw takenFields(['email']);
    if (index === 'users_username_key') throw takenFields(['username']);
    throw error;
  }
}

function takenFields(fields: ('email' | 'username')[]): AppError {
  const details = fields.map((path) => ({ path, message: 'is already taken' }));
  const words = fields.map((field) => (field === 'email' ? 'This email' : 'This username'));
  return new AppError('CONFLICT', `${words.join(' and ')} is already taken`, { details });
}

/** Better late than not signed in: a hash that could not be renewed is tried again at the next login. */
async function renewHash(
  { record, passwords, log }: { record: RecordStore; passwords: Passwords; log: Log },
  { user, input }: { user: UserRow; input: LoginInput },
): Promise<void> {
  if (!passwords.isOutdated(user.passwordHash)) return;
  const passwordHash = await passwords.hash(input.password);
  try {
    await record.write((tx) => tx.update(users).set({ passwordHash }).where(eq(users.id, user.id)));
  } catch (error) {
    log.warn('a password hash was not renewed', { error });
  }
}
