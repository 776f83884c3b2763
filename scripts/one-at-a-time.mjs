/** Processes of this machine that must not do the same at once. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** Runs a task while no other process runs one under this name; waits for that first. The kernel lets go of the name of a process that is killed. */
export async function oneAtATime(name, task) {
  // An abstract socket has a name in the kernel alone, of 107 bytes at most.
  const address = `\0vectora-${createHash('sha256').update(name).digest('hex')}`;
  for (;;) {
    const server = createServer().listen(address);
    try {
      await once(server, 'listening');
    } catch (error) {
      if (error.code !== 'EADDRINUSE') throw error;
      await wait(200);
      continue;
    }
    try {
      return await task();
    } finally {
      server.close();
    }
  }
}
