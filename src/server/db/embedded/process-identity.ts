import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';

/** Who runs: a process id alone is used again by later processes, so the moment of its start belongs to it. */
export interface ProcessIdentity {
  pid: number;
  /** Boot and clock ticks since then on Linux, a date elsewhere; null where neither can be had. */
  startedAt: string | null;
  /** Machine and process-id namespace: a process of another one cannot be looked up from here. */
  place: string;
}

export async function currentProcess(): Promise<ProcessIdentity> {
  return { pid: process.pid, startedAt: await processStart(process.pid), place: await processPlace() };
}

/** Whether that very process still runs. Only to be asked for a process of this place. */
export async function isRunning({ pid, startedAt }: ProcessIdentity): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it exists and is somebody else's.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return startedAt === null || startedAt === (await processStart(pid));
}

async function processStart(pid: number): Promise<string | null> {
  if (process.platform !== 'linux') return await startByPs(pid);
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets and may hold anything; the start is the 22nd field.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    return `${boot.trim()} ${ticks}`;
  } catch {
    return null;
  }
}

function startByPs(pid: number): Promise<string | null> {
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'lstart=', '-p', String(pid)], { timeout: 5000 }, (error, stdout) =>
      resolve(error ? null : stdout.trim() || null),
    );
  });
}

async function processPlace(): Promise<string> {
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  return `${hostname()} ${namespace}`.trim();
}
