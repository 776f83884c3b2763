import { EngineCallHandler } from './engine-call-handler.ts';
import type { EngineHost } from './engine-host.ts';

/** Indexes in this very thread: for tests of what stands around the engine. */
export function createLocalHost(): EngineHost {
  const handler = new EngineCallHandler();
  return {
    async call({ id }, request, signal) {
      // An answer arrives in a later turn, as from a thread, so that no caller comes to rely on the shorter way.
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
      return handler.run(id, request);
    },
    waiting: () => 0,
    release() {},
    async stop() {},
  };
}
