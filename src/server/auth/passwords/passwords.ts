import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import type { Settings } from '#server/env.ts';
import { createTurnQueue } from '../tries/turn-queue.ts';

const waitingMax = 32;

/**
 * One core is left to what serves, since others search while many sign in. Hashing runs on Node's pool of four threads, of which one stays
 * free for files and name lookups.
 */
export function hashesAtOnce(cores: number): number {
  return Math.max(1, Math.min(cores - 1, 3));
}

/** `group`: whose work it is; groups take turns, see `createTurnQueue`. */
export interface Passwords {
  hash(password: string, group: string): Promise<string>;
  /** `passwordHash` null stands for an unknown account: the same work, always false. */
  verify(passwordHash: string | null, password: string, group: string): Promise<boolean>;
  /** Whether the hash was made with other parameters than today's. */
  isOutdated(passwordHash: string): boolean;
}

/**
 * argon2id, the library's default algorithm. A hash made with other parameters is renewed at the next login.
 * @throws AppError TOO_MANY_REQUESTS (from hash and verify) when too many are waiting
 */
export function createPasswords(
  settings: Pick<Settings, 'passwordHashBytes' | 'passwordHashPasses'>,
): Passwords {
  const parameters = {
    memoryCost: settings.passwordHashBytes / 1024,
    timeCost: settings.passwordHashPasses,
    parallelism: 1,
  };
  const prefix = `$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$`;
  const run = createTurnQueue(hashesAtOnce(availableParallelism()), waitingMax);
  // The same password typed on another keyboard may arrive composed otherwise.
  const canonical = (password: string) => password.normalize('NFKC');
  return {
    hash: (password, group) => run(group, () => hash(canonical(password), parameters)),
    verify: (passwordHash, password, group) =>
      run(group, async () => {
        if (passwordHash !== null) return await verify(passwordHash, canonical(password));
        await hash(canonical(password), parameters);
        return false;
      }),
    isOutdated: (passwordHash) => !passwordHash.startsWith(prefix),
  };
}
