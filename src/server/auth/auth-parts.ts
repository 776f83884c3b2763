import type { RecordStore } from '#server/db/client.ts';
import type { Settings } from '#server/env.ts';
import type { Log } from '#server/log.ts';
import type { Passwords } from './passwords/passwords.ts';
import type { SecretBox } from './secrets/secret-box.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { Devices } from './tries/devices.ts';
import type { LetterThrottles } from './tries/letter-throttles.ts';
import type { LoginTries } from './tries/login-tries.ts';
import type { LookUps } from './tries/look-ups.ts';
import type { MonotonicClock, Throttle } from './tries/throttle.ts';

/** What signing up and in is made of. */
export interface AuthParts {
  record: RecordStore;
  settings: Pick<Settings, 'signup' | 'publicUrl' | 'host' | 'port'>;
  secrets: SecretBox;
  log: Log;
  clock: () => Date;
  monotonic: MonotonicClock;
  lookUps: LookUps;
  passwords: Passwords;
  sessions: Sessions;
  devices: Devices;
  loginTries: LoginTries;
  /** Tries to sign in or up from one address, over all accounts. */
  addressTries: Throttle;
  /** Reset links from one address that are not good. */
  unknownLinks: Throttle;
  /** Accounts made from one address. */
  signups: Throttle;
  /** By account id, letters to addresses that it has typed in. */
  letters: LetterThrottles;
}
