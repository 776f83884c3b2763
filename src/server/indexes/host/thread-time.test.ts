import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { threadTime } from './thread-time.ts';

/** A Linux may be built without these figures, or not count. */
function isTold(): boolean {
  try {
    return Number.parseInt(readFileSync('/proc/thread-self/schedstat', 'latin1'), 10) > 0;
  } catch {
    return false;
  }
}

test.runIf(isTold())(
  'where the system tells: grows while the thread computes, and hardly while it waits',
  () => {
    const time = threadTime() ?? expect.unreachable();
    const start = time();
    while (time() < start + 20);
    const before = time();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    expect(time() - before).toBeLessThan(50);
  },
);
