import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import type { Settings } from '#server/env.ts';
import type { MonotonicClock } from '../tries/throttle.ts';
import { TurnQueue, type Whose } from '../tries/turn-queue.ts';

/** Some seconds of hashing. */
const waitingMax = 32;

/**
 * One core is left to what serves, since others search while many sign in. Hashing runs on Node's pool of four threads, of which one stays
 * free for files and name lookups.
 */
export function hashesAtOnce(cores: number): number {
  return Math.max(1, Math.min(cores - 1, 3));
}

/** They take turns, see `TurnQueue`. */
export interface Passwords {
  hash(password: string, whose: Whose): Promise<string>;
  /** `passwordHash` null stands for an unknown account: the same work, always false. */
  verify(passwordHash: string | null, password: string, whose: Whose): Promise<boolean>;
  /** Whether the hash was made with other parameters than today's. */
  isOutdated(passwordHash: string): boolean;
}

/**
 * argon2id, the library's default algorithm. A hash made with other parameters is renewed at the next login.
 * @throws AppError TOO_MANY_REQUESTS (from hash and verify) when too many are waiting
 */
export function createPasswords(
  settings: Pick<Settings, 'passwordHashBytes' | 'passwordHashPasses'>,
  clock: MonotonicClock,
): Passwords {
  const parameters = {
    memoryCost: settings.passwordHashBytes / 1024,
    timeCost: settings.passwordHashPasses,
    parallelism: 1,
  };
  const prefix = `$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$`;
  const parallel = hashesAtOnce(availableParallelism());
  const refusal = 'Too many people are signing in; try again in a moment';
  const turns = new TurnQueue({ parallel, waitingMax, refusal }, clock);
  // The same password typed on another keyboard may arrive composed otherwise.
  const canonical = (password: string) => password.normalize('NFKC');
  return {
    hash: (password, whose) => turns.run(whose, () => hash(canonical(password), parameters)),
    verify: (passwordHash, password, whose) =>
      turns.run(whose, async () => {
        if (passwordHash !== null) return await verify(passwordHash, canonical(password));
        await hash(canonical(password), parameters);
        return false;
      }),
    isOutdated: (passwordHash) => !passwordHash.startsWith(prefix),
  };
}
