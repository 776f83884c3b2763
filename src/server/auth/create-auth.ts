import { eq } from 'drizzle-orm';
import type { RecordStore } from '#server/db/client.ts';
import { users } from '#server/db/schema/accounts.ts';
import type { Settings } from '#server/env.ts';
import type { Log } from '#server/log.ts';
import type { Auth } from './auth.ts';
import type { AuthParts } from './auth-parts.ts';
import { createKeyCheck } from './key-check.ts';
import type { KnownCallers } from './known-callers.ts';
import { createLastUse } from './last-use.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { createPasswords } from './passwords.ts';
import { register } from './register.ts';
import { createSessions, hashSessionId, type Sessions } from './sessions.ts';
import { toIssued, toUser } from './sign-in.ts';
import { createBackoffThrottle, createWindowThrottle } from './throttle.ts';

interface AuthOptions {
  record: RecordStore;
  known: KnownCallers;
  settings: Pick<Settings, 'signup' | 'loginFreeTries' | 'loginTriesPerAddress' | 'signupsPerAddress'>;
  log: Log;
  clock: () => Date;
}

export function createAuth(options: AuthOptions): Auth {
  const { record, known, log, clock } = options;
  const sessions = createSessions({ record, known: known.sessions, clock, log });
  const lastUse = createLastUse(record, log);
  const parts: AuthParts = {
    ...options,
    ...createThrottles(options),
    passwords: createPasswords(),
    sessions,
  };
  return {
    register: (input, from) => register(parts, input, from),
    login: (input, from) => login(parts, input, from),
    logout: (principal, from) => logout(parts, principal, from),
    async user({ userId }) {
      const [user] = await record.db.select().from(users).where(eq(users.id, userId));
      return user ? toUser(user) : null;
    },
    authenticateSession: (cookieValue) => authenticateSession(sessions, cookieValue),
    authenticateKey: createKeyCheck({ db: record.db, known: known.keys, lastUse, clock }),
    pendingUses: lastUse.pending,
    flush: lastUse.flush,
  };
}

const minuteMs = 60_000;

function createThrottles({
  settings,
  clock,
}: AuthOptions): Pick<AuthParts, 'accountTries' | 'addressTries' | 'signups'> {
  const { loginFreeTries, loginTriesPerAddress, signupsPerAddress } = settings;
  return {
    accountTries: createBackoffThrottle({ free: loginFreeTries, what: 'tries to sign in' }, clock),
    addressTries: createWindowThrottle(
      { limit: loginTriesPerAddress, windowMs: 10 * minuteMs, what: 'tries from this address' },
      clock,
    ),
    signups: createWindowThrottle(
      { limit: signupsPerAddress, windowMs: 60 * minuteMs, what: 'new accounts from this address' },
      clock,
    ),
  };
}

async function authenticateSession(
  sessions: Sessions,
  cookieValue: string,
): ReturnType<Auth['authenticateSession']> {
  if (!/^[a-z2-7]{40}$/.test(cookieValue)) return null;
  const session = await sessions.validate(cookieValue);
  if (!session) return null;
  const { id, userId, isConfirmed } = session;
  return {
    principal: { kind: 'user', isConfirmed, userId, sessionId: hashSessionId(id) },
    renewed: session.isRenewed ? toIssued(session) : null,
  };
}
