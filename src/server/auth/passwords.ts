import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { createHashQueue } from './hash-queue.ts';

/** OWASP's minimum for argon2id (the library's default algorithm): 19 MiB, two passes. A hash made with others is renewed at the next login. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const prefix = `$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$`;

const waitingMax = 32;
/** Hashing runs on Node's pool of four threads; one stays free for files and name lookups. */
const parallel = Math.max(1, Math.min(2 * availableParallelism(), 3));

export interface Passwords {
  hash(password: string): Promise<string>;
  /** `passwordHash` null stands for an unknown account: the same work, always false. */
  verify(passwordHash: string | null, password: string): Promise<boolean>;
  /** Whether the hash was made with other parameters than today's. */
  isOutdated(passwordHash: string): boolean;
}

/** @throws AppError TOO_MANY_REQUESTS (from hash and verify) when too many are waiting */
export function createPasswords(): Passwords {
  const run = createHashQueue(parallel, waitingMax);
  // The same password typed on another keyboard may arrive composed otherwise.
  const canonical = (password: string) => password.normalize('NFKC');
  return {
    hash: (password) => run(() => hash(canonical(password), parameters)),
    verify: (passwordHash, password) =>
      run(async () => {
        if (passwordHash !== null) return await verify(passwordHash, canonical(password));
        await hash(canonical(password), parameters);
        return false;
      }),
    isOutdated: (passwordHash) => !passwordHash.startsWith(prefix),
  };
}
