import { Worker } from 'node:worker_threads';
import type { Log } from '#server/log.ts';
import type { EngineHost } from './engine-host.ts';
import { EngineThread } from './engine-thread.ts';
import { IndexLostError } from './index-lost-error.ts';
import { Placement } from './placement.ts';

interface WorkerHostOptions {
  workers: number;
  log: Log;
  startWorker?: () => Worker;
}

/**
 * Indexes in threads of their own; a collection belongs to one of them for as long as its index is open. A thread that dies takes its
 * indexes along: every call on them, open or to come, fails with `IndexLostError` until they are opened again, in a thread started anew.
 */
export function createWorkerHost({
  workers,
  log,
  startWorker = startEngineWorker,
}: WorkerHostOptions): EngineHost {
  const threads = Array.from(
    { length: workers },
    (_, number) => new EngineThread({ number, log, startWorker }),
  );
  const placement = new Placement(workers);
  return {
    async call(collection, request, signal) {
      const { id } = collection;
      const number = request.call === 'open' ? placement.place(id) : placement.find(id);
      if (request.call === 'close') placement.forget(id);
      const thread = number === null ? undefined : threads[number];
      if (!thread) throw new IndexLostError(id);
      return thread.call(collection, request, signal);
    },
    async stop() {
      await Promise.all(threads.map((thread) => thread.stop()));
    },
  };
}

export function startEngineWorker(): Worker {
  // Node cannot start a .ts worker: run from source, the built one is used.
  const file = import.meta.url.endsWith('.ts')
    ? '../../../../dist/server/engine-worker.js'
    : './engine-worker.js';
  return new Worker(new URL(file, import.meta.url));
}
