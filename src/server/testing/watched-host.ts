import type { EngineHost } from '#server/indexes/host/engine-host.ts';
import { createLocalHost } from '#server/indexes/host/local-host.ts';

/** A host whose calls a test can count, delay or fail; the engine behind it is the real one. */
export function watchedHost(
  before: (call: string, collectionId: number) => Promise<void> | void = () => undefined,
) {
  let real = createLocalHost();
  const calls: string[] = [];
  const host: EngineHost = {
    async call(collectionId, request, signal) {
      calls.push(request.call);
      await before(request.call, collectionId);
      return real.call(collectionId, request, signal);
    },
    stop: () => real.stop(),
  };
  /** As when its thread dies. */
  const loseIndexes = () => {
    real = createLocalHost();
  };
  return { host, calls, loseIndexes };
}
