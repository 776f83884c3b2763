import { execFile } from 'node:child_process';
import { chown } from 'node:fs/promises';
import { promisify } from 'node:util';
import { childEnvironment } from '#server/env.ts';
import { RecordRefused } from '../record-error.ts';

/** Under which account Postgres runs. It refuses to run as root. */
export interface Account {
  /** The whole command line for a program of Postgres. */
  command(program: string, args: string[]): [string, string[]];
  /** Passed to `spawn` besides. */
  ids: { uid?: number; gid?: number };
  /** Owns the data and the socket's folder; null when it is the account that runs this process. */
  owner: number | null;
  /** Whether Postgres can walk into folders of root, so that only the data itself has to be its own. */
  walksEverywhere: boolean;
}

/** "nobody": it exists everywhere, and initdb wants an account that has a name. */
const nobody = 65_534;

const plain: Account = {
  command: (program, args) => [program, args],
  ids: {},
  owner: null,
  walksEverywhere: false,
};

/**
 * Another user that keeps the one right to walk into root's folders. `no_setuid_fixup`, since access(2) forgets capabilities otherwise;
 * bounded to that right, so that Postgres can gain no other.
 */
const lessened: Account = {
  command: (program, args) => ['setpriv', [...lessen, program, ...args]],
  ids: {},
  owner: nobody,
  walksEverywhere: true,
};
const lessen = [
  '--securebits=+no_setuid_fixup',
  `--reuid=${nobody}`,
  `--regid=${nobody}`,
  '--clear-groups',
  '--inh-caps=-all,+dac_override',
  '--ambient-caps=-all,+dac_override',
  '--bounding-set=-all,+dac_override',
];

/** Another user and nothing else, where its folders can be walked into without root's rights. */
const another: Account = { ...plain, ids: { uid: nobody, gid: nobody }, owner: nobody };

/** Where no other user can be become: a namespace in which the same account is called another. */
const renamed: Account = {
  ...plain,
  command: (program, args) => [
    'unshare',
    ['--user', `--map-user=${nobody}`, `--map-group=${nobody}`, program, ...args],
  ],
};

const run = promisify(execFile);

/**
 * The first account under which the program runs and the folder can be written. The folder belongs to that account afterwards.
 * @throws RecordRefused when this process is root and cannot be anybody else
 */
export async function chooseAccount(program: string, folder: string): Promise<Account> {
  const own = process.getuid?.();
  if (own !== 0) return plain;
  const reasons: string[] = [];
  for (const account of [lessened, another, renamed]) {
    try {
      await giveTo(account, folder);
      await probe(account, program, folder);
      return account;
    } catch (error) {
      reasons.push(error instanceof Error ? error.message.trim() : String(error));
    }
  }
  throw new RecordRefused(
    'The embedded database cannot run as root, and no other account can be used here. Start Vectora as another user, or set DATABASE_URL.',
    { cause: new Error(reasons.join('\n')) },
  );
}

/** Makes a folder belong to the account. */
export async function giveTo(account: Account, folder: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const owner = account.owner ?? 0;
  await chown(folder, owner, owner);
}

async function probe(account: Account, program: string, folder: string): Promise<void> {
  const script = '"$1" --version && test -w "$2"';
  const [command, args] = account.command('/bin/sh', ['-c', script, 'probe', program, folder]);
  await run(command, args, { ...account.ids, cwd: '/', env: childEnvironment(), timeout: 10_000 });
}
