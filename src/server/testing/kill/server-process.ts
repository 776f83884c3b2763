import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** A built server in a process of its own, so that it can be killed as an operating system kills. */
export interface ServerProcess {
  pid: number;
  url: string;
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
}

const startWithinMs = 150_000;

export interface SpawnOptions {
  /** Another folder that the server's files lie in, in place of the repository. */
  root?: string;
  /** A command that runs it: `[...prefix, node, main.js]`. */
  prefix?: string[];
}

/** For a machine with other work: nothing is refused because it came to be slow, a password costs a hundredth, and no document is upgraded. */
const patient = {
  SEARCH_TIMEOUT_MS: '60000',
  SEARCH_DELAY_MS: '0',
  EMBEDDINGS: 'static',
  EMBEDDING_WAIT_SECONDS: '60',
  PASSWORD_HASH_MEMORY_MB: '1',
  PASSWORD_HASH_PASSES: '1',
};

export function spawnServer(
  env: Record<string, string>,
  { root = '.', prefix = [] }: SpawnOptions = {},
): ChildProcess {
  const main = path.resolve(root, 'dist/server/main.js');
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  const [command = '', ...args] = [...prefix, process.execPath, '--enable-source-maps', main];
  return spawn(command, args, {
    env: {
      PATH,
      HOME,
      ...(TMPDIR !== undefined && { TMPDIR }),
      ...patient,
      PORT: '0',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** @throws Error with all the server said when it ends before it serves */
export async function startServer(
  env: Record<string, string>,
  options?: SpawnOptions,
): Promise<ServerProcess> {
  const child = spawnServer(env, options);
  const url = await readUrl(child);
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    return child.exitCode;
  };
  return {
    pid: child.pid ?? 0,
    url,
    kill: async () => {
      await end('SIGKILL');
    },
    stop: () => end('SIGTERM'),
  };
}

function readUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`The server did not start in time:\n${said}`));
    }, startWithinMs);
    const listen = (text: Buffer) => {
      said = (said + text).slice(-20_000);
      const url = /is running at (\S+)/.exec(said)?.[1];
      if (!url) return;
      clearTimeout(timer);
      resolve(url);
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      reject(new Error(`The server ended (${code ?? signal}) before it served:\n${said}`));
    });
  });
}
