import { spawn } from 'node:child_process';
import type { Log } from '#server/log.ts';

/**
 * A small process that ends Postgres when this one is gone without a word (SIGKILL, a crash). It hears of it by its standard input, which
 * closes then; a line there lets it go. It has a session of its own, so that a signal to our group spares it.
 */
export interface Guard {
  /** To be called as soon as Postgres has ended: its process id may be given to another. */
  dismiss(): void;
}

export interface GuardOptions {
  postmasterPid: number;
  /** Removed once Postgres is gone. */
  socketFolder: string | null;
  log: Log;
}

/** Fast, then at once, then by force: gone within five seconds. What was committed is on the disk whichever it takes. */
const script = `
trap '' HUP INT TERM
read -r _ && exit
for signal in INT QUIT KILL; do
  kill -"$signal" "$1" || break
  tries=0
  while kill -0 "$1" && [ "$tries" -lt 12 ]; do sleep 0.1; tries=$((tries + 1)); done
done 2>/dev/null
[ -n "$2" ] && rm -f "$2"/.s.PGSQL.* && rmdir "$2"
`;

export function startGuard({ postmasterPid, socketFolder, log }: GuardOptions): Guard {
  // On Windows, Node puts its children into a job object that ends with it.
  if (process.platform === 'win32') return { dismiss: () => undefined };
  const args = ['-c', script, 'vectora-guard', String(postmasterPid), socketFolder ?? ''];
  const guard = spawn('/bin/sh', args, { cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  guard.once('error', (error) => {
    log.warn('nothing will end the embedded database if this process is killed', { error });
  });
  guard.stdin.on('error', () => undefined);
  guard.unref();
  return { dismiss: () => void guard.stdin.end('\n') };
}
