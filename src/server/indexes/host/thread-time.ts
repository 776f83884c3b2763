import { openSync, readSync } from 'node:fs';

/** On processors and waiting for one, in nanoseconds, and the number of turns: proc_pid_schedstat of Linux's `fs/proc/base.c`. */
const file = '/proc/thread-self/schedstat';

/**
 * Milliseconds for which the calling thread has been on a processor, to be asked in that thread: on a busy machine what it takes says nothing
 * about what it costs. The system counts them at its ticks, so that a difference may be some milliseconds off, but never their sum.
 * Null: this system does not tell.
 */
export function threadTime(): (() => number) | null {
  const read = openThreadTime();
  return read !== null && read() > 0 ? read : null;
}

function openThreadTime(): (() => number) | null {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return null;
  }
  const text = Buffer.alloc(64);
  return () => {
    const length = readSync(descriptor, text, 0, text.length, 0);
    return Number.parseInt(text.toString('latin1', 0, length), 10) / 1e6;
  };
}
