import { Worker } from 'node:worker_threads';
import type { Log } from '#server/log.ts';
import { QuarantinedError } from './call-errors.ts';
import type { EngineHost } from './engine-host.ts';
import { EngineThread, type StartWorker } from './engine-thread.ts';
import { IndexLostError } from './index-lost-error.ts';
import { Placement } from './placement.ts';
import { Quarantine } from './quarantine.ts';
import type { SharedMemory } from './thread-messages.ts';
import type { Ticker } from './watchdog.ts';

interface WorkerHostOptions {
  workers: number;
  log: Log;
  /** What a call, or the calls of one request, may compute, and may wait. */
  budgetMs: number;
  ticker?: Ticker;
  startWorker?: StartWorker;
}

/** Slices are some milliseconds, single steps a few: a thread that says nothing for so long never will. */
const stalledAfterMs = 10_000;

/**
 * Indexes in threads of their own; a collection belongs to one of them for as long as its index is open. A thread that dies takes its
 * indexes along: every call on them, open or to come, fails with `IndexLostError` until they are opened again, in a thread started anew.
 * A collection whose calls or upkeep have ended threads twice within an hour is not opened any more until it is released.
 */
export function createWorkerHost({
  workers,
  log,
  budgetMs,
  ticker,
  startWorker = startEngineWorker,
}: WorkerHostOptions): EngineHost {
  const quarantine = new Quarantine();
  const onEnded = (collectionId: number) => {
    quarantine.noteEnd(collectionId);
    if (quarantine.has(collectionId))
      log.error('a collection has ended its engine thread twice; it rests until it is repaired', {
        collectionId,
      });
  };
  const threads = Array.from(
    { length: workers },
    (_, number) =>
      new EngineThread({ number, log, startWorker, budgetMs, stallMs: stalledAfterMs, ticker, onEnded }),
  );
  const placement = new Placement(workers);
  return {
    call(collection, request, signal) {
      const { id } = collection;
      if (quarantine.has(id) && request.call !== 'close') return Promise.reject(new QuarantinedError(id));
      const number = request.call === 'open' ? placement.place(id) : placement.find(id);
      if (request.call === 'close') placement.forget(id);
      const thread = number === null ? undefined : threads[number];
      if (!thread) return Promise.reject(new IndexLostError(id));
      return thread.call(collection, request, signal);
    },
    waiting: () => threads.reduce((sum, { waiting }) => sum + waiting, 0),
    release: (collectionId) => quarantine.release(collectionId),
    async stop() {
      await Promise.all(threads.map((thread) => thread.stop()));
    },
  };
}

export function startEngineWorker(shared: SharedMemory): Worker {
  // Node cannot start a .ts worker: run from source, the built one is used.
  const file = import.meta.url.endsWith('.ts')
    ? '../../../../dist/server/engine-worker.js'
    : './engine-worker.js';
  return new Worker(new URL(file, import.meta.url), { workerData: shared });
}
