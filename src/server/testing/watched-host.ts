import type { EngineHost } from '#server/indexes/host/engine-host.ts';
import { createLocalHost } from '#server/indexes/host/local-host.ts';

type Before = (call: string, collectionId: number, signal: AbortSignal | undefined) => Promise<void> | void;

/** A host whose calls a test can count, delay or fail; the engine behind it is the real one. */
export function watchedHost(before: Before = () => undefined) {
  let real = createLocalHost();
  const calls: string[] = [];
  /** Calls that reached the engine and were answered by it. */
  const answered: string[] = [];
  const host: EngineHost = {
    async call(collection, request, signal) {
      calls.push(request.call);
      await before(request.call, collection.id, signal);
      const answer = await real.call(collection, request, signal);
      answered.push(request.call);
      return answer;
    },
    waiting: () => real.waiting(),
    release: (collectionId) => real.release(collectionId),
    stop: () => real.stop(),
  };
  /** As when its thread dies. */
  const loseIndexes = () => {
    real = createLocalHost();
  };
  return { host, calls, answered, loseIndexes };
}
