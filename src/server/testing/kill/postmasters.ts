import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** Where `npm start` keeps its Postgres' data. */
export const clusterOf = (dataDir: string) => path.join(dataDir, 'postgres/data');

/** The processes that were started as Postgres on this cluster, as anybody at the machine sees them. */
export function postmastersOn(dataDir: string): number[] {
  const list = execFileSync('ps', ['-eww', '-o', 'pid=,args='], { encoding: 'utf8' });
  return list
    .split('\n')
    .filter((line) => line.includes(` -D ${clusterOf(dataDir)} `) && !line.includes('vectora-guard'))
    .map((line) => Number.parseInt(line, 10));
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
