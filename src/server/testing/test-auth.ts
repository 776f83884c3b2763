import { createAuth } from '#server/auth/create-auth.ts';
import { createKnownCallers } from '#server/auth/known/known-callers.ts';
import { createSecretBox } from '#server/auth/secrets/secret-box.ts';
import type { CodeAwaited, SignedIn, Visitor } from '#server/auth/visitor.ts';
import type { RecordStore } from '#server/db/client.ts';
import { readSettings, type Settings } from '#server/env.ts';
import { createLog, type Log } from '#server/log.ts';
import type { Mailer } from '#server/mail/mailer.ts';
import type { RegisterInput } from '#shared/accounts.ts';
import { fakeClock } from './fake-clock.ts';
import { roomy } from './kit.ts';

/** Accounts on a record of its own: throttles are out of the way unless a test sets them, and time stands still. */
export function makeTestAuth(
  record: RecordStore,
  settings: Partial<Settings> = {},
  { mailer = null, log = createLog('silent') }: { mailer?: Mailer | null; log?: Log } = {},
) {
  const { clock, monotonic, pass, jump } = fakeClock();
  const allSettings = { ...readSettings({}), ...roomy, ...settings };
  const auth = createAuth({
    record,
    known: createKnownCallers({ record, clock, settings: allSettings }),
    settings: allSettings,
    secrets: createSecretBox('a secret for tests, long enough to be one'),
    mailer,
    log,
    clock,
    monotonic,
  });
  return { auth, clock, pass, jump };
}

/** Who calls from there; `device` is the cookie of one that has signed in before. */
export function from(address: string, device: string | null = null): Visitor {
  return { requestId: 'test', address, userAgent: null, device };
}

/** Of an account that a password alone signs in to. */
export function signedIn(shown: SignedIn | CodeAwaited): SignedIn {
  if ('pendingLogin' in shown) throw new Error('a code is asked for');
  return shown;
}

export const accountPassword = 'analytical engine';
let people = 0;

export function newAccount(given: Partial<RegisterInput> = {}): RegisterInput {
  const name = `person${++people}`;
  const own = { email: `${name}@example.org`, username: name, firstName: null, lastName: null };
  return { ...own, password: accountPassword, confirmPassword: accountPassword, ...given };
}
