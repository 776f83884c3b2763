import type { Snapshot } from '#server/engine/types.ts';
import type { AskedCollection, EngineHost } from './engine-host.ts';

/** Copied by one call: a millisecond or two, for which a search waits at most. */
const copiedBytes = 4 << 20;

/**
 * A copy of an index, a part at a time, between which it is searched. Nothing may be written to it meanwhile.
 * @throws IndexLostError as any call; something was written
 */
export async function copySnapshot(
  host: Pick<EngineHost, 'call'>,
  collection: AskedCollection,
): Promise<Snapshot> {
  const snapshot: Snapshot = new Map();
  try {
    for (const { name, length } of await host.call(collection, { call: 'snapshot' })) {
      const bytes = new Uint8Array(length);
      for (let from = 0; from < length; from += copiedBytes) {
        const asks = { call: 'snapshotBytes', name, from, length: copiedBytes } as const;
        bytes.set(await host.call(collection, asks), from);
      }
      snapshot.set(name, bytes);
    }
    return snapshot;
  } finally {
    await host.call(collection, { call: 'endSnapshot' });
  }
}
