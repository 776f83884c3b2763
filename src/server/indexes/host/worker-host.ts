import type { Log } from '#server/log.ts';
import type { EngineHost } from './engine-host.ts';
import { EngineThread } from './engine-thread.ts';
import { IndexLostError } from './index-lost-error.ts';

/**
 * Indexes in threads of their own; a collection belongs to the thread its id is hashed to. A thread that dies takes its indexes along:
 * every call on them, open or to come, fails with `IndexLostError` until they are opened again, in a thread started anew.
 */
export function createWorkerHost({ workers, log }: { workers: number; log: Log }): EngineHost {
  const threads = Array.from({ length: workers }, (_, number) => new EngineThread(number, log));
  return {
    async call(collectionId, request) {
      const thread = threads[collectionId % threads.length];
      if (!thread) throw new IndexLostError(collectionId);
      return thread.call(collectionId, request);
    },
    async stop() {
      await Promise.all(threads.map((thread) => thread.stop()));
    },
  };
}
