import { execFile } from 'node:child_process';
import { chown, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';
import { childEnvironment } from '#server/env.ts';
import { RecordRefused } from '../record-error.ts';

/** Under which account Postgres runs: it refuses to run as root. */
export interface Account {
  /** The whole command line for a program of Postgres. */
  command(program: string, args: string[]): [string, string[]];
  /** Passed to `spawn`; who owns the data. Null: the account of this process. */
  ids: Ids | null;
  /** Whether it can walk into every folder, so that only the data itself has to be its own. */
  walksEverywhere: boolean;
}

interface Ids {
  uid: number;
  gid: number;
}

/** "nobody": it exists everywhere, and initdb wants an account that has a name. */
const nobody: Ids = { uid: 65_534, gid: 65_534 };

const own: Account = { command: (program, args) => [program, args], ids: null, walksEverywhere: false };

/**
 * Another user that keeps the one right to walk into root's folders, and can gain no other. `no_setuid_fixup`: access(2) forgets
 * capabilities otherwise.
 */
function lessened({ uid, gid }: Ids): Account {
  const options = [
    '--securebits=+no_setuid_fixup',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=-all,+dac_override',
    '--bounding-set=-all,+dac_override',
  ];
  return {
    command: (program, args) => ['setpriv', [...options, program, ...args]],
    ids: { uid, gid },
    walksEverywhere: true,
  };
}

/** Another user and nothing else, where its folders can be walked into without root's rights. */
const another = (ids: Ids): Account => ({ ...own, ids });

/** A namespace in which the account of this process has another number, and a name. */
const renamed: Account = {
  ...own,
  command: (program, args) => [
    'unshare',
    ['--user', `--map-user=${nobody.uid}`, `--map-group=${nobody.gid}`, program, ...args],
  ],
};

export interface AccountOptions {
  /** A program it must be able to run. */
  program: string;
  /** A folder it must be able to write in. Belongs to it afterwards, unless it walks everywhere. */
  folder: string;
  /** The cluster, if it is there already: whoever owns it goes on. */
  cluster: string;
}

/**
 * The first account that works here.
 * @throws RecordRefused when this process is root and Postgres can be run as nobody else
 */
export async function chooseAccount({ program, folder, cluster }: AccountOptions): Promise<Account> {
  const isRoot = process.getuid?.() === 0;
  const reasons: unknown[] = [];
  for (const account of await candidates(isRoot, cluster)) {
    try {
      await giveTo(account, folder);
      if (account === own) return own;
      await probe(account, program, folder);
      return account;
    } catch (error) {
      reasons.push(error);
      if (isRoot) await chown(folder, 0, 0);
    }
  }
  throw new RecordRefused(
    'The embedded database does not run as root, and here it cannot be run as another account either. Start Vectora as another user, or set DATABASE_URL.',
    { cause: new AggregateError(reasons) },
  );
}

async function candidates(isRoot: boolean, cluster: string): Promise<Account[]> {
  const owner = await ownerOf(cluster);
  // Only initdb wants a name, and `renamed` writes files of the same owner.
  if (!isRoot) return owner !== null || hasName() ? [own] : [renamed, own];
  if (owner?.uid === 0) return [renamed];
  const ids = owner ?? nobody;
  return owner === null ? [lessened(ids), another(ids), renamed] : [lessened(ids), another(ids)];
}

/** Makes a folder belong to the account, where that is needed and possible. */
async function giveTo({ ids, walksEverywhere }: Account, folder: string): Promise<void> {
  if (ids !== null && !walksEverywhere) await chown(folder, ids.uid, ids.gid);
}

async function probe(account: Account, program: string, folder: string): Promise<void> {
  const script = '"$1" --version && test -w "$2"';
  const [command, args] = account.command('/bin/sh', ['-c', script, 'probe', program, folder]);
  const options = { ...account.ids, cwd: '/', env: childEnvironment(), timeout: 30_000 };
  await promisify(execFile)(command, args, options);
}

async function ownerOf(folder: string): Promise<Ids | null> {
  const found = await stat(folder).catch(() => null);
  return found && { uid: found.uid, gid: found.gid };
}

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    // A container may run under a number that no user has.
    return false;
  }
}
