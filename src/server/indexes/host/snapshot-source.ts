import type { SnapshotPiece } from '#server/engine/snapshot.ts';
import type { AskedCollection, EngineHost } from './engine-host.ts';
import type { PieceOfSnapshot } from './gathered-snapshots.ts';

/** A snapshot where it lies: its pieces, each of which is read part by part, so that whoever stores it holds few of them at once. */
export interface SnapshotSource {
  pieces: readonly SnapshotPiece[];
  /** A copy. @throws IndexLostError as any call; something was written to the index */
  copy(part: PieceOfSnapshot): Promise<Uint8Array>;
}

/**
 * An index as a snapshot, until `use` is over. Between two parts it is searched; nothing may be written to it meanwhile.
 * @throws IndexLostError as any call, and what `use` throws
 */
export async function withSnapshot<Result>(
  host: Pick<EngineHost, 'call'>,
  collection: AskedCollection,
  use: (source: SnapshotSource) => Promise<Result>,
): Promise<Result> {
  try {
    const pieces = await host.call(collection, { call: 'snapshot' });
    return await use({
      pieces,
      copy: (part) => host.call(collection, { call: 'snapshotBytes', ...part }),
    });
  } finally {
    await host.call(collection, { call: 'endSnapshot' });
  }
}
