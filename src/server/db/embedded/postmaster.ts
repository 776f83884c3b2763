import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { childEnvironment } from '#server/env.ts';
import type { Log } from '#server/log.ts';
import type { Account } from './account.ts';
import { type Guard, startGuard } from './guard.ts';
import type { Programs } from './platform-programs.ts';

export interface PostmasterOptions {
  programs: Programs;
  account: Account;
  /** The cluster. */
  dataFolder: string;
  /** In which the socket is made; removed with it by the guard. */
  socketFolder: string;
  settings: Record<string, string | number>;
  log: Log;
}

/** One running Postgres. */
export interface Postmaster {
  pid: number;
  /** Resolves when it has ended, however it ended. */
  ended: Promise<string>;
  /** Ends every connection and then itself, having written all it holds. */
  stop(): Promise<void>;
}

const startWithinMs = 60_000;
/** How long each signal is given: fast, at once, by force. */
const stopSteps = [
  { signal: 'SIGINT', withinMs: 8_000 },
  { signal: 'SIGQUIT', withinMs: 3_000 },
  { signal: 'SIGKILL', withinMs: 3_000 },
] as const;

/** @throws Error with what Postgres said when it does not start */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const { programs, account, dataFolder, socketFolder, settings, log } = options;
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [command, args] = account.command(programs.postgres, [
    '-D',
    dataFolder,
    ...flags,
    '-c',
    `unix_socket_directories=${quoted(socketFolder)}`,
  ]);
  const child = spawn(command, args, {
    ...account.ids,
    cwd: '/',
    // A session of its own: Ctrl-C at the terminal is for us, and requests under way still need it.
    detached: true,
    env: childEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = ending(child);
  const lines = readLines(child, log);
  let guard: Guard | null = null;
  if (child.pid !== undefined) guard = startGuard({ postmasterPid: child.pid, socketFolder, log });
  void ended.then(() => guard?.dismiss());
  const stop = () => stopChild(child, ended);
  try {
    await ready(lines, ended);
  } catch (error) {
    await stop();
    throw error;
  }
  return { pid: child.pid ?? 0, ended, stop };
}

/** A list of folders, separated by commas: one that holds a comma or a blank stands in quotes. */
function quoted(folder: string): string {
  return `"${folder.replaceAll('"', '""')}"`;
}

/** How it ended, in words; a program that cannot even be started has ended too. */
function ending(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal === null ? `code ${code}` : signal));
  });
}

interface Lines {
  /** The last ones it said. */
  said: string[];
  onLine(listener: (line: string) => void): void;
}

const linesMax = 20;

/** What Postgres reports goes into our log; FATAL and PANIC as warnings, the rest for those who look for it. */
function readLines(child: ChildProcess, log: Log): Lines {
  const said: string[] = [];
  const listeners: ((line: string) => void)[] = [];
  if (!child.stderr) return { said, onLine: () => undefined };
  createInterface({ input: child.stderr }).on('line', (line) => {
    said.push(line);
    if (said.length > linesMax) said.shift();
    for (const listener of listeners) listener(line);
    const isGrave = /^(FATAL|PANIC):/.test(line);
    log[isGrave ? 'warn' : 'debug']('embedded database', { said: line });
  });
  return { said, onLine: (listener) => void listeners.push(listener) };
}

async function ready({ said, onLine }: Lines, ended: Promise<string>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const told = (how: string) => new Error([how, ...said].join('\n'));
  try {
    await Promise.race([
      new Promise<void>((resolve) => {
        onLine((line) => {
          if (line.includes('ready to accept connections')) resolve();
        });
      }),
      ended.then((how) => Promise.reject(told(`Postgres ended (${how})`))),
      new Promise((_, reject) => {
        timer = setTimeout(() => reject(told('Postgres was not ready in time')), startWithinMs);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}

async function stopChild(child: ChildProcess, ended: Promise<string>): Promise<void> {
  for (const { signal, withinMs } of stopSteps) {
    child.kill(signal);
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
