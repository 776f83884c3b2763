import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '#server/log.ts';
import { RecordNotOpened } from '../record-error.ts';
import { commandLine } from './process-identity.ts';

const steps = [
  { signal: 'SIGINT', withinMs: 4_000 },
  { signal: 'SIGQUIT', withinMs: 3_000 },
  { signal: 'SIGKILL', withinMs: 3_000 },
] as const;
const lookAgainMs = 20;

/**
 * Ends the Postgres that a killed process left on this cluster, if its guard has not done so yet. Only a process that was started as
 * Postgres on this very folder is touched: its number may belong to another by now.
 * @throws RecordNotOpened when it does not end
 */
export async function endFormerPostmaster(cluster: string, log: Log): Promise<void> {
  const pid = await readPostmasterPid(cluster);
  if (pid === null || !(await isPostmaster(pid, cluster))) return;
  log.warn('the embedded database of a process that was killed still runs and is ended', { pid });
  for (const { signal, withinMs } of steps) {
    send(pid, signal);
    const end = performance.now() + withinMs;
    while (performance.now() < end) {
      if (!(await isPostmaster(pid, cluster))) return;
      await pause(lookAgainMs);
    }
  }
  throw new RecordNotOpened(
    `The Postgres of a process that was killed still runs on ${cluster} and does not end. Stop its process ${pid}.`,
  );
}

/** The process that Postgres itself noted in its cluster, dead or alive. */
export async function readPostmasterPid(cluster: string): Promise<number | null> {
  const text = await readFile(path.join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  return Number.isInteger(pid) && pid > 1 ? pid : null;
}

async function isPostmaster(pid: number, cluster: string): Promise<boolean> {
  const words = await commandLine(pid);
  return words !== null && /\bpostgres\b/.test(words) && words.includes(` -D ${cluster} `);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone by itself meanwhile; whether it is, the next look tells.
  }
}
