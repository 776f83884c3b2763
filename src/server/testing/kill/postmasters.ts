import { execFile, execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/** Where `npm start` keeps its Postgres' data. */
export const clusterOf = (dataDir: string) => path.join(dataDir, 'postgres/data');

const lookAtAll = ['-eww', '-o', 'pid=,ppid=,args='];

/** The processes that were started as Postgres on this cluster, as anybody at the machine sees them. */
export function postmastersOn(dataDir: string): number[] {
  return postmastersIn(execFileSync('ps', lookAtAll, { encoding: 'utf8' }), dataDir);
}

/**
 * How many of them there are at the same time at most, while it goes on and once after. A look takes a while, in which one may end and the next
 * one start: it counts those that the look before has seen too.
 */
export async function mostPostmastersOn(dataDir: string, goesOn: () => boolean): Promise<number> {
  let most = 0;
  let before: number[] = [];
  for (let looksLeft = 2; looksLeft > 0; ) {
    if (!goesOn()) looksLeft -= 1;
    const { stdout } = await promisify(execFile)('ps', lookAtAll);
    const seen = postmastersIn(stdout, dataDir);
    most = Math.max(most, seen.filter((pid) => before.includes(pid)).length);
    before = seen;
  }
  return most;
}

function postmastersIn(list: string, dataDir: string): number[] {
  const named = list.split('\n').flatMap((line) => {
    if (!line.includes(` -D ${clusterOf(dataDir)} `) || line.includes('vectora-guard')) return [];
    const [pid = 0, parent = 0] = line.trim().split(/\s+/, 2).map(Number);
    return [{ pid, parent }];
  });
  // A child of the postmaster bears its name for a moment, until it takes one of its own.
  return named.filter(({ parent }) => named.every(({ pid }) => pid !== parent)).map(({ pid }) => pid);
}

/** The one that Postgres itself has noted. */
export async function notedPostmaster(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(path.join(clusterOf(dataDir), 'postmaster.pid'), 'utf8'), 10);
}

/** The process that would end this one if its server were gone. */
export function findGuard(postmasterPid: number): number | null {
  const list = execFileSync('ps', ['-eww', '-o', 'pid=,args='], { encoding: 'utf8' });
  const line = list.split('\n').find((one) => one.includes(`vectora-guard ${postmasterPid} `));
  return line === undefined ? null : Number.parseInt(line, 10);
}

export function killGuard(postmasterPid: number): void {
  const guard = findGuard(postmasterPid);
  if (guard === null) throw new Error(`process ${postmasterPid} has no guard`);
  process.kill(guard, 'SIGKILL');
}

/** The folder of its socket. */
export async function socketFolderOf(dataDir: string): Promise<string> {
  const lines = (await readFile(path.join(clusterOf(dataDir), 'postmaster.pid'), 'utf8')).split('\n');
  return lines[4] ?? '';
}
