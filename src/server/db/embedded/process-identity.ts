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

/** Whether that very process still runs; a dead one that nobody has waited for yet does not. Only to be asked for a process of this place. */
export async function isRunning({ pid, startedAt }: ProcessIdentity): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it exists and is somebody else's.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  const now = await lookUp(pid);
  if (now?.isDead) return false;
  return startedAt === null || startedAt === (now?.startedAt ?? null);
}

/** How a process was started, its words separated by blanks with one at the end; null where it is gone or cannot be looked up. */
export async function commandLine(pid: number): Promise<string | null> {
  if (process.platform !== 'linux') {
    const words = await ps(pid, 'args=');
    return words === null ? null : `${words} `;
  }
  const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return words === '' ? null : words.replaceAll('\0', ' ');
}

async function processStart(pid: number): Promise<string | null> {
  return (await lookUp(pid))?.startedAt ?? null;
}

interface ProcessState {
  startedAt: string;
  /** It has ended, and its parent has not asked how. */
  isDead: boolean;
}

async function lookUp(pid: number): Promise<ProcessState | null> {
  if (process.platform !== 'linux') return await lookUpByPs(pid);
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets and may hold anything; the state is the 3rd field, the start the 22nd.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    return { startedAt: `${boot.trim()} ${fields[19]}`, isDead: /^[ZXx]/.test(fields[0] ?? '') };
  } catch {
    return null;
  }
}

async function lookUpByPs(pid: number): Promise<ProcessState | null> {
  const startedAt = await ps(pid, 'lstart=');
  if (startedAt === null) return null;
  return { startedAt, isDead: (await ps(pid, 'stat='))?.startsWith('Z') === true };
}

function ps(pid: number, column: string): Promise<string | null> {
  return new Promise((resolve) => {
    execFile('ps', ['-ww', '-o', column, '-p', String(pid)], { timeout: 5000 }, (error, stdout) =>
      resolve(error ? null : stdout.trim() || null),
    );
  });
}

async function processPlace(): Promise<string> {
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  return `${hostname()} ${namespace}`.trim();
}
