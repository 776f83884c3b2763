import { EngineRoom } from './engine-room.ts';
import type { EngineHost } from './host.ts';
import { hostOver } from './host-calls.ts';

/** Indexes in this very thread: for tests of what stands around the engine. */
export function createLocalHost(): EngineHost {
  const room = new EngineRoom();
  // An answer arrives in a later turn, as from a thread, so that nobody comes to rely on the shorter way.
  return hostOver(
    async (request) => {
      await new Promise((resolve) => setImmediate(resolve));
      return room.run(request) as never;
    },
    async () => {},
  );
}
