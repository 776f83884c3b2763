import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { childEnvironment } from '#server/env.ts';
import type { Log } from '#server/log.ts';
import type { Account } from './account.ts';
import { readPostmasterPid } from './former-postmaster.ts';
import { startGuard } from './guard.ts';
import type { Programs } from './platform-programs.ts';

export interface PostmasterOptions {
  programs: Programs;
  account: Account;
  /** The data directory of Postgres. */
  cluster: string;
  settings: Record<string, string | number>;
  /** Removed by the guard, once nothing runs any more. */
  socketFolder: string | null;
  log: Log;
}

/** One running Postgres. */
export interface Postmaster {
  /** Resolves when it has ended, with how. */
  ended: Promise<string>;
  /** Ends every connection and then itself, having written all it holds. */
  stop(): Promise<void>;
}

/** Reading the log again after a crash takes its time. */
const startWithinMs = 600_000;
/** How long each signal is given: orderly, at once, by force. What was committed is on the disk whichever it takes. */
const stopSteps = [
  { signal: 'SIGINT', withinMs: 8_000 },
  { signal: 'SIGQUIT', withinMs: 3_000 },
  { signal: 'SIGKILL', withinMs: 3_000 },
] as const;

/** @throws Error with what Postgres said when it does not start */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const { log } = options;
  const child = await launch(options);
  const ended = ending(child);
  const { pid } = child;
  if (pid !== undefined) {
    const guard = startGuard({ postmasterPid: pid, socketFolder: options.socketFolder, log });
    void ended.then(() => guard.dismiss());
  }
  const stop = () => stopChild(child, ended, options);
  try {
    await whenReady(child, ended, log);
  } catch (error) {
    await stop();
    throw error;
  }
  return { ended, stop };
}

async function launch({ programs, account, cluster, settings }: PostmasterOptions): Promise<ChildProcess> {
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [command, args] = account.command(programs.postgres, ['-D', cluster, ...flags]);
  const former = await readPostmasterPid(cluster);
  return spawn(command, args, {
    ...account.spawnAs,
    cwd: '/',
    env: {
      ...childEnvironment(),
      // The number it was last noted under may be that of another process by now, for which it would not start. This tells it so, and
      // leaves its own check for processes that are still on the cluster as it is.
      ...(former !== null && { PG_GRANDPARENT_PID: String(former) }),
    },
    // A session of its own: Ctrl-C at the terminal is for us, and requests under way still need it. On Windows the job object of Node
    // ends it with us instead, which holds no detached children.
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** How it ended, in words; a program that cannot even be started has ended too. */
function ending(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
    child.on('error', (error) => {
      // Else a signal could not be sent, and it lives on.
      if (child.pid === undefined) resolve(error.message);
    });
  });
}

const linesMax = 20;

/** Resolves when it takes connections. What it reports goes into our log, here and ever after. */
async function whenReady(child: ChildProcess, ended: Promise<string>, log: Log): Promise<void> {
  const said: string[] = [];
  const failure = (how: string) => new Error([how, ...reasonsIn(said)].join('; '));
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      if (child.stderr) {
        createInterface({ input: child.stderr }).on('line', (line) => {
          if (said.push(line) > linesMax) said.shift();
          if (line.includes('ready to accept connections')) resolve();
          log[levelOf(line)]('embedded database', { said: line });
        });
      }
      void ended.then((how) => reject(failure(`Postgres ended (${how})`)));
      timer = setTimeout(() => reject(failure('Postgres was not ready in time')), startWithinMs);
    });
  } finally {
    clearTimeout(timer);
  }
}

/** The lines that say why, or all where none is marked so. */
function reasonsIn(said: string[]): string[] {
  const grave = said.filter((line) => /^(FATAL|PANIC|DETAIL|HINT):|^postgres: /.test(line));
  return grave.length > 0 ? grave : said;
}

function levelOf(line: string): 'debug' | 'info' | 'warn' {
  if (/^(FATAL|PANIC):/.test(line)) return 'warn';
  // Why a start takes longer than usual.
  return /\b(recovery|redo)\b/.test(line) ? 'info' : 'debug';
}

async function stopChild(
  child: ChildProcess,
  ended: Promise<string>,
  { programs, cluster }: PostmasterOptions,
): Promise<void> {
  for (const { signal, withinMs } of stopSteps) {
    // Windows knows no signals: Postgres waits at a pipe for this one.
    if (process.platform === 'win32' && signal === 'SIGINT') {
      execFile(programs.pgCtl, ['kill', 'INT', String(await readPostmasterPid(cluster))], () => undefined);
    } else child.kill(signal);
    if (await endsWithin(ended, withinMs)) return;
  }
}

async function endsWithin(ended: Promise<string>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const isEnded = await Promise.race([ended.then(() => true), late]);
  clearTimeout(timer);
  return isEnded;
}
