import { execFile } from 'node:child_process';
import { chown, lstat, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '#server/env.ts';
import { RecordNotOpened } from '../record-error.ts';
import type { Account } from './account.ts';
import type { Programs } from './platform-programs.ts';

export interface ClusterOptions {
  programs: Programs;
  account: Account;
  /** In which the cluster is made. */
  folder: string;
  /** Arguments for initdb, besides those that every cluster has. */
  settings: string[];
}

/**
 * Order and case of text come with Postgres itself: a newer library of the system or of the package never leaves an index in another
 * order than it was built in.
 */
export const ownOrder = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];

/** Where the cluster lies in the folder. */
export const clusterIn = (folder: string) => path.join(folder, 'data');

/**
 * Makes the cluster unless it is there. It is made beside its place and moved there when it is whole and on the disk, so that a start that
 * was killed leaves no half one.
 * @throws RecordNotOpened for one that another major version of Postgres wrote
 */
export async function ensureCluster(options: ClusterOptions): Promise<void> {
  const { programs, folder } = options;
  const place = clusterIn(folder);
  if (await isThere(place)) return await assertVersion(programs, place);
  for (const name of await readdir(folder)) {
    if (name.startsWith(halfName)) await removeHalf(path.join(folder, name));
  }
  const half = path.join(folder, `${halfName}${process.pid}`);
  await initialise(options, half);
  await rename(half, place);
  await syncFolder(folder);
}

const halfName = 'half-';

async function initialise({ programs, account, settings }: ClusterOptions, half: string): Promise<void> {
  await mkdir(half, { mode: 0o700 });
  if (account.owner !== null) await chown(half, account.owner.uid, account.owner.gid);
  const [command, args] = account.command(programs.initdb, [
    `--pgdata=${half}`,
    '--username=postgres',
    '--encoding=UTF8',
    ...settings,
  ]);
  const options = { ...account.spawnAs, cwd: '/', env: childEnvironment() };
  try {
    await promisify(execFile)(command, args, options);
  } catch (error) {
    await removeHalf(half);
    throw new Error(reasonOf(error), { cause: error });
  }
}

/** An initdb whose starter was killed goes on to its end, and still writes in it for a moment. */
async function removeHalf(half: string): Promise<void> {
  await rm(half, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
}

/** initdb says what went wrong in a line of its own. */
function reasonOf(error: unknown): string {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
  return /^initdb: error: .*$/m.exec(said)?.[0] ?? (said.trim() || String(error));
}

async function assertVersion(programs: Programs, place: string): Promise<void> {
  const text = await readFile(path.join(place, 'PG_VERSION'), 'utf8');
  const written = text.trim();
  if (written === String(programs.version)) return;
  throw new RecordNotOpened(
    `The embedded database in ${place} was written by Postgres ${written}, and this version of Vectora brings ${programs.version}. Start the version of Vectora that wrote it; nothing was changed.`,
  );
}

async function isThere(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}

/** The new name must last too. Windows cannot open folders. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
