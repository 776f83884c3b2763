import { execFile } from 'node:child_process';
import { access, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '#server/env.ts';
import { RecordRefused } from '../record-error.ts';
import { type Account, giveTo } from './account.ts';
import type { Programs } from './platform-programs.ts';

export interface ClusterOptions {
  programs: Programs;
  account: Account;
  /** The cluster lies in `data` in it. */
  folder: string;
  /** More arguments for initdb. */
  more?: string[];
}

const run = promisify(execFile);

/**
 * Makes the cluster unless it is there. It is made beside its place and moved there when it is whole, so that a start that was killed
 * leaves no half one.
 * @returns its folder
 */
export async function ensureCluster({
  programs,
  account,
  folder,
  more = [],
}: ClusterOptions): Promise<string> {
  const place = path.join(folder, 'data');
  if (await isThere(place)) {
    await assertVersion(programs, place);
    return place;
  }
  for (const name of await readdir(folder)) {
    if (name.startsWith('half-')) await rm(path.join(folder, name), { recursive: true, force: true });
  }
  const half = path.join(folder, `half-${process.pid}`);
  await mkdir(half, { mode: 0o700 });
  await giveTo(account, half);
  await initialise({ programs, account, folder: half, more });
  await rename(half, place);
  await syncFolder(folder);
  return place;
}

/**
 * Nobody but the one whose folder the socket lies in can connect, so there is no password. Order and case of text come with Postgres
 * itself (C.UTF-8): a newer library of the system or of the package never leaves an index in another order than it was built in.
 */
const cluster = ['--username=postgres', '--auth-local=trust', '--auth-host=reject', '--encoding=UTF8'];
const order = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];

async function initialise({ programs, account, folder, more = [] }: ClusterOptions): Promise<void> {
  const args = ['-D', folder, ...cluster, ...(more.length > 0 ? more : order)];
  const [command, all] = account.command(programs.initdb, args);
  await run(command, all, { ...account.ids, cwd: '/', env: childEnvironment() });
}

async function assertVersion(programs: Programs, place: string): Promise<void> {
  const { stdout } = await run(programs.postgres, ['--version']);
  const brought = /PostgreSQL\) (\d+)/.exec(stdout)?.[1];
  const written = (await readFile(path.join(place, 'PG_VERSION'), 'utf8').catch(() => 'unknown')).trim();
  if (written === brought) return;
  throw new RecordRefused(
    `The embedded database in ${place} was written by Postgres ${written}, and this version of Vectora brings ${brought}. Start the version of Vectora that wrote it; nothing was changed.`,
  );
}

async function isThere(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}

/** The new name itself must last. Windows cannot open folders. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
