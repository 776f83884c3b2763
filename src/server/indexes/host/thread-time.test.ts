import { expect, test } from 'vitest';
import { threadTime } from './thread-time.ts';

test.runIf(process.platform === 'linux')('grows while the thread computes, and hardly while it waits', () => {
  const time = threadTime() ?? expect.unreachable();
  const start = time();
  while (time() < start + 20);
  const before = time();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  expect(time() - before).toBeLessThan(50);
});
