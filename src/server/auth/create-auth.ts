import { eq } from 'drizzle-orm';
import { accountName } from '#server/admission/requester.ts';
import type { RecordStore } from '#server/db/client.ts';
import { users } from '#server/db/schema/accounts.ts';
import type { Settings } from '#server/env.ts';
import type { Log } from '#server/log.ts';
import type { Mailer } from '#server/mail/mailer.ts';
import type { Auth } from './auth.ts';
import type { AuthParts } from './auth-parts.ts';
import { createKeyCheck } from './keys/key-check.ts';
import { createLastUse } from './keys/last-use.ts';
import type { KnownCallers } from './known/known-callers.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { changePassword } from './passwords/change-password.ts';
import { createForgottenPasswords } from './passwords/forgotten-passwords.ts';
import { createPasswords } from './passwords/passwords.ts';
import { getResetLink, resetPassword } from './passwords/reset-password.ts';
import { createProfile } from './profile/profile.ts';
import { register } from './register.ts';
import { createSecondFactor } from './second-factor/second-factor.ts';
import { secondStep } from './second-factor/second-step.ts';
import type { SecretBox } from './secrets/secret-box.ts';
import { createLastSeen } from './sessions/last-seen.ts';
import { createSessionIds } from './sessions/session-ids.ts';
import { createSessions, hashSessionId, type Sessions } from './sessions/sessions.ts';
import { toIssued, toUser } from './sign-in.ts';
import { AccountTries } from './tries/account-tries.ts';
import { createDevices } from './tries/devices.ts';
import { createLetterThrottles } from './tries/letter-throttles.ts';
import { LoginTries } from './tries/login-tries.ts';
import { createLookUps, type LookUps } from './tries/look-ups.ts';
import {
  createAddressThrottle,
  createBackoff,
  type MonotonicClock,
  type WindowThrottle,
} from './tries/throttle.ts';
import { tryLink } from './tries/try-link.ts';
import { createWrongPasswords } from './tries/wrong-passwords.ts';

interface AuthOptions {
  record: RecordStore;
  known: KnownCallers;
  settings: Pick<
    Settings,
    | 'signup'
    | 'publicUrl'
    | 'host'
    | 'port'
    | 'loginFreeTries'
    | 'loginTriesPerAccount'
    | 'loginTriesPerAddress'
    | 'unknownKeysPerAddress'
    | 'signupsPerAddress'
    | 'passwordHashBytes'
    | 'passwordHashPasses'
  >;
  secrets: SecretBox;
  /** Absent: no mail is sent. */
  mailer?: Mailer | null;
  log: Log;
  clock: () => Date;
  /** For the throttles; absent: the process' own. */
  monotonic?: MonotonicClock;
}

export function createAuth(options: AuthOptions): Auth {
  const { record, known, settings, log, clock, monotonic = () => performance.now() } = options;
  const lookUps = createLookUps(monotonic);
  const { unknownKeys, ...throttles } = createThrottles(options, { monotonic, lookUps });
  const lastSeen = createLastSeen(record, log);
  const ids = createSessionIds(options.secrets);
  const sessions = createSessions({
    record,
    known: known.sessions,
    ids,
    lookUps,
    lastSeen,
    clock,
    log,
  });
  const lastUse = createLastUse(record, log);
  const parts: AuthParts = {
    ...options,
    ...throttles,
    monotonic,
    lookUps,
    devices: createDevices(options.secrets),
    passwords: createPasswords(settings, monotonic),
    sessions,
  };
  const keyCheck = createKeyCheck({
    db: record.db,
    known: known.keys,
    unknownKeys,
    lookUps,
    lastUse,
    clock,
  });
  const forgotten = createForgottenPasswords(parts, options.mailer ?? null);
  const profile = createProfile(parts, options.mailer ?? null);
  return {
    sendsMail: forgotten.isMailed,
    forgotPassword: forgotten.ask,
    register: (input, from) => register(parts, input, from),
    login: (input, from) => login(parts, input, from),
    secondStep: (input, from) => secondStep(parts, input, from),
    secondFactor: createSecondFactor(parts),
    profile,
    logout: (principal, from) => logout(parts, principal, from),
    async user({ userId }) {
      const { db } = record.as(accountName(userId));
      const [user] = await db.select().from(users).where(eq(users.id, userId));
      return user ? toUser(user) : null;
    },
    changePassword: (principal, given) => changePassword(parts, principal, given),
    async resetLink(token, from) {
      const { email, expiresAt } = await getResetLink(parts, token, from);
      return { email, expiresAt };
    },
    resetPassword: (input, from) => resetPassword(parts, input, from),
    tryLink: (from, ask) => tryLink(parts, from, ask),
    countInvitation: ({ userId }) => void parts.letters.invitations.take(String(userId)),
    deviceAccount: parts.devices.accountName,
    isOwnSession: ids.isOwn,
    authenticateSession: (cookieValue, address = '', hashedId = hashSessionId(cookieValue)) =>
      authenticateSession(sessions, { cookieValue, address, hashedId }),
    authenticateKey: keyCheck.authenticate,
    findKeyRejection: keyCheck.findRejection,
    pendingUses: lastUse.pending,
    async flush() {
      await Promise.all([lastUse.flush(), lastSeen.flush()]);
    },
    async close() {
      await Promise.all([forgotten.close(), profile.close()]);
    },
  };
}

const minuteMs = 60_000;

function createThrottles(
  options: AuthOptions,
  { monotonic, lookUps }: { monotonic: MonotonicClock; lookUps: LookUps },
): Pick<AuthParts, 'loginTries' | 'addressTries' | 'unknownLinks' | 'signups' | 'letters'> & {
  unknownKeys: WindowThrottle;
} {
  const { record, log, settings } = options;
  const perAddress = (limit: number, windowMs: number, what: string) =>
    createAddressThrottle({ limit, windowMs, what }, monotonic);
  const addressTries = perAddress(settings.loginTriesPerAddress, 10 * minuteMs, 'tries');
  return {
    addressTries,
    loginTries: new LoginTries({
      pairs: createBackoff(
        { free: settings.loginFreeTries, waitSecondsMax: 900, what: 'tries to sign in' },
        monotonic,
      ),
      accounts: new AccountTries(settings.loginTriesPerAccount, monotonic),
      addresses: addressTries,
      record: createWrongPasswords(record, options.secrets),
      lookUps,
      log,
    }),
    letters: createLetterThrottles(monotonic),
    signups: perAddress(settings.signupsPerAddress, 60 * minuteMs, 'new accounts'),
    unknownLinks: perAddress(settings.unknownKeysPerAddress, minuteMs, 'links that are not good'),
    unknownKeys: perAddress(settings.unknownKeysPerAddress, minuteMs, 'unknown API keys'),
  };
}

async function authenticateSession(
  sessions: Sessions,
  { cookieValue, address, hashedId }: { cookieValue: string; address: string; hashedId: string },
): ReturnType<Auth['authenticateSession']> {
  const session = await sessions.validate(cookieValue, address, hashedId);
  if (!session) return null;
  const { userId, isConfirmed } = session;
  return {
    principal: { kind: 'user', isConfirmed, userId, sessionId: hashedId },
    renewed: session.isRenewed ? toIssued(session) : null,
  };
}
