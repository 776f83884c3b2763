import type { SearchIndex } from '#server/engine/search-index.ts';
import {
  copyPiece,
  type GatheredSnapshot,
  gatherSnapshot,
  type SnapshotPiece,
} from '#server/engine/snapshot.ts';
import type { Steps } from '#server/engine/steps.ts';
import { IndexLostError } from './index-lost-error.ts';

/** Bytes `from` to `from + length` of one piece of a snapshot, or those of them that there are. */
export interface PieceOfSnapshot {
  name: string;
  from: number;
  length: number;
}

/**
 * The snapshots of one thread's indexes that are being copied, one call for each part of a piece: between two of them an index may be searched, but
 * not be changed or kept up.
 */
export class GatheredSnapshots {
  readonly #byCollection = new Map<number, GatheredSnapshot>();

  has(collectionId: number): boolean {
    return this.#byCollection.has(collectionId);
  }

  *gather(collectionId: number, index: SearchIndex): Steps<SnapshotPiece[]> {
    const gathered = yield* gatherSnapshot(index);
    this.#byCollection.set(collectionId, gathered);
    return Array.from(gathered, ([name, { length }]) => ({ name, length }));
  }

  /** @throws IndexLostError none is being copied, or its index was changed since it was gathered */
  copy(collectionId: number, piece: PieceOfSnapshot): Steps<Uint8Array> {
    const gathered = this.#byCollection.get(collectionId);
    if (!gathered) throw new IndexLostError(collectionId);
    return copyPiece(gathered, piece);
  }

  /** @returns whether one was being copied */
  end(collectionId: number): boolean {
    return this.#byCollection.delete(collectionId);
  }
}
