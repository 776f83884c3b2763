import {
  ByteStream,
  type DecodedSnapshot,
  decodeSnapshot,
  type SnapshotPiece,
} from '#server/engine/snapshot.ts';
import type { Steps } from '#server/engine/steps.ts';
import type { IndexSettings } from '#server/engine/types.ts';
import { IndexLostError } from './index-lost-error.ts';

interface ArrivingSnapshot {
  bytes: ByteStream;
  decoding: Steps<DecodedSnapshot>;
}

/**
 * The snapshots of one thread that are decoded while their bytes arrive, one call for each part: between two parts the thread is there for
 * others, and nothing is seen of the index before it is whole.
 */
export class ArrivingSnapshots {
  readonly #byCollection = new Map<number, ArrivingSnapshot | { refused: string }>();

  begin(collectionId: number, pieces: readonly SnapshotPiece[], settings: IndexSettings): void {
    const bytes = new ByteStream();
    this.#byCollection.set(collectionId, { bytes, decoding: decodeSnapshot(pieces, bytes, settings) });
  }

  /**
   * Decodes as far as the next bytes reach, which are not needed any more then. Null: there is more to come. What was refused is refused
   * again, as further parts may be on their way.
   * @throws IndexLostError none is arriving
   */
  *take(collectionId: number, part: Uint8Array): Steps<DecodedSnapshot | null> {
    const arriving = this.#byCollection.get(collectionId);
    if (!arriving) throw new IndexLostError(collectionId);
    if ('refused' in arriving) return arriving;
    const { bytes, decoding } = arriving;
    bytes.add(part);
    while (!bytes.isWaiting) {
      const step = decoding.next();
      if (step.done) {
        if ('refused' in step.value) this.#byCollection.set(collectionId, step.value);
        else this.end(collectionId);
        return step.value;
      }
      yield;
    }
    return null;
  }

  /** What has arrived is given up. */
  end(collectionId: number): void {
    this.#byCollection.delete(collectionId);
  }
}
