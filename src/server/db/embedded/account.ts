import { execFile } from 'node:child_process';
import { chmod, chown, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';
import { childEnvironment } from '#server/env.ts';
import { RecordNotOpened } from '../record-error.ts';

/** Under which account Postgres runs: it refuses to run as root. */
export interface Account {
  /** The whole command line for a program of Postgres. */
  command(program: string, args: string[]): [string, string[]];
  /** Passed to `spawn` besides. */
  spawnAs: Partial<Ids>;
  /** Who owns the data; null: the account of this process. */
  owner: Ids | null;
  /** Whether it can walk into every folder, so that only the data itself has to be its own. */
  walksEverywhere: boolean;
}

interface Ids {
  uid: number;
  gid: number;
}

/** "nobody": it exists everywhere, and initdb wants an account that has a name. */
const nobody: Ids = { uid: 65_534, gid: 65_534 };

const own: Account = {
  command: (program, args) => [program, args],
  spawnAs: {},
  owner: null,
  walksEverywhere: false,
};

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
    spawnAs: {},
    owner: { uid, gid },
    walksEverywhere: true,
  };
}

/** Another user and nothing else, where its folders can be walked into without root's rights. */
const another = (ids: Ids): Account => ({ ...own, spawnAs: ids, owner: ids });

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
  /** A folder of ours above that one, which it must be able to walk through. */
  above?: string;
  /** The cluster, if it is there already: whoever owns it goes on. */
  cluster: string;
}

/**
 * The first account that works here.
 * @throws RecordNotOpened when this process is root and Postgres can be run as nobody else
 */
export async function chooseAccount(options: AccountOptions): Promise<Account> {
  const isRoot = process.getuid?.() === 0;
  const reasons: unknown[] = [];
  for (const account of await candidates(isRoot, options.cluster)) {
    const undo = await letIn(account, options);
    try {
      if (account !== own) await probe(account, options);
      return account;
    } catch (error) {
      reasons.push(error);
      await undo();
    }
  }
  throw new RecordNotOpened(
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

/** Gives the folder to an account that could not enter it otherwise. @returns what takes that back */
async function letIn(account: Account, { folder, above }: AccountOptions): Promise<() => Promise<void>> {
  const { owner, walksEverywhere } = account;
  if (owner === null || walksEverywhere) return async () => undefined;
  const undo = [await change(folder, owner, 0)];
  if (above !== undefined) {
    const { uid, mode } = await stat(above);
    if (!(mode & walkable.all)) undo.push(await change(above, { uid, gid: owner.gid }, walkable.group));
  }
  return async () => {
    for (const step of undo) await step();
  };
}

const walkable = { all: 0o001, group: 0o010 };

async function change(folder: string, { uid, gid }: Ids, moreRights: number): Promise<() => Promise<void>> {
  const before = await stat(folder);
  const mode = before.mode & 0o7777;
  // May fail where there is no such account; the account is found wanting then.
  const set = async (ids: Ids, rights: number) => {
    await chown(folder, ids.uid, ids.gid).catch(() => undefined);
    await chmod(folder, rights);
  };
  await set({ uid, gid }, mode | moreRights);
  return () => set(before, mode);
}

/** By doing it: access(2) answers for the file's mode alone on some systems. */
async function probe(account: Account, { program, folder }: AccountOptions): Promise<void> {
  const script = '"$1" --version && : > "$2/probe" && rm "$2/probe"';
  const [command, args] = account.command('/bin/sh', ['-c', script, 'probe', program, folder]);
  const options = { ...account.spawnAs, cwd: '/', env: childEnvironment(), timeout: 30_000 };
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
