import type { Sql } from 'postgres';
import type { Requester } from '#server/admission/requester.ts';
import type { IndexStats } from '#server/engine/types.ts';
import type { Log } from '#server/log.ts';
import { ByteBudget, type Grant } from '../write/byte-budget.ts';
import { pruneDeletions } from '../write/statements.ts';
import { heldChunkBytes } from './index-size.ts';
import type { OpenIndex } from './open-index.ts';
import type { SerialQueue } from './serial-queue.ts';
import type { SnapshotFiles } from './snapshot-files.ts';

export interface SnapshotParts {
  files: SnapshotFiles;
  sql: Sql;
  log: Log;
  assertWritable: () => Promise<void>;
  /** Milliseconds that only grow. */
  now: () => number;
  /** Changes after which a snapshot is written even while more come. */
  changesWithoutIdleMax: number;
  /** What the copied parts of indexes that are being saved have together. */
  snapshotsBytesMax: number;
  /** No: none are written, and no deletions are forgotten, which others may need. */
  savesSnapshots: boolean;
}

/** Null: there is no room for it now. */
type TakeCopy = (stats: IndexStats) => Grant | null | Promise<Grant | null>;

const idleBeforeSnapshotMs = 3_000;
/** Nothing more is coming. */
const atRestMs = 60_000;
/** Fewer are replayed sooner than a snapshot is written. */
const changesMin = 100;
/** Of the ten seconds that somebody waits for memory. */
const leaverWaitMs = 2_000;
/** One that leaves with fewer changes is not saved first: at its return they are read from the record sooner than all of it is written now. */
const replayedMax = 1_000;

/** What is held of an index that is saved. */
function heldOf({ memoryBytes }: IndexStats): number {
  return heldChunkBytes(memoryBytes);
}

/** When an index is worth a snapshot, and writing it, in the collection's turn. */
export class SnapshotSchedule {
  readonly #parts: SnapshotParts;
  readonly #turns: SerialQueue<number>;
  /** Parts of an index are copied to be written: of all that are at once, so much. */
  readonly #copies: ByteBudget;
  /** Waiting for their turn, or being written. */
  readonly #pending = new Set<OpenIndex>();

  constructor(parts: SnapshotParts, turns: SerialQueue<number>) {
    this.#parts = parts;
    this.#turns = turns;
    this.#copies = new ByteBudget(parts.snapshotsBytesMax);
  }

  /**
   * Writes those that have become worth it. Called on a timer, so that one whose copy has no room now is tried again: in the collection's turn its
   * changes would wait with it. The largest come first: they need the most to be free.
   */
  saveDue(indexes: Iterable<OpenIndex>): void {
    const due = Array.from(indexes).filter((index) => this.#isDue(index));
    due.sort((a, b) => b.stats.memoryBytes - a.stats.memoryBytes);
    for (const index of due) {
      this.#saveOnce(index, (stats) => this.#copies.takeIfFree(index.collection.for, heldOf(stats)));
    }
  }

  /** Once however often it is asked for. */
  saveSoon(index: OpenIndex): void {
    this.#saveOnce(index, (stats) => this.#copies.take(index.collection.for, heldOf(stats)));
  }

  /**
   * In its turn, so that it can leave: without a snapshot where it has changed little or others' copies take all there may be, since somebody waits
   * for its memory.
   * @returns false: it was asked again meanwhile, so closing it would only open it once more
   */
  async saveToLeave(index: OpenIndex, isDrained: boolean): Promise<boolean> {
    if (!isDrained && index.isInUse) return false;
    const { lastUsed } = index;
    const { for: requester } = index.collection;
    do {
      if (isDrained) await index.unused();
      if (isWorthWaitingFor(index))
        await this.#save(index, (stats) => this.#takeSoon(requester, heldOf(stats)));
    } while (isDrained && index.isInUse);
    return isDrained || (!index.isInUse && index.lastUsed === lastUsed);
  }

  async #takeSoon(requester: Requester, bytes: number): Promise<Grant | null> {
    const late = AbortSignal.timeout(leaverWaitMs);
    try {
      return await this.#copies.take(requester, bytes, late);
    } catch (error) {
      if (error === late.reason) return null;
      throw error;
    }
  }

  #saveOnce(index: OpenIndex, takeCopy: TakeCopy): void {
    if (this.#pending.has(index)) return;
    this.#pending.add(index);
    void this.#turns
      .run(index.collection.id, () => this.#save(index, takeCopy))
      .finally(() => this.#pending.delete(index));
  }

  /** Never fails: without a snapshot the index is opened from an older one, or from the record. */
  async #save(index: OpenIndex, takeCopy: TakeCopy): Promise<void> {
    const { log, savesSnapshots } = this.#parts;
    if (!savesSnapshots) return;
    const { id: collectionId } = index.collection;
    let version: number | null;
    try {
      version = await this.#writeCopy(index, takeCopy);
    } catch (error) {
      // Not again at the next tick: a full disk does not pass that quickly.
      index.postponeSnapshot();
      log.warn('an index snapshot could not be written', { collectionId, error });
      return;
    }
    if (version !== null) await this.#prune(collectionId, version);
  }

  /** @returns its version; null: there is nothing to be written, or no room for the copy */
  async #writeCopy(index: OpenIndex, takeCopy: TakeCopy): Promise<number | null> {
    if (!(await index.isUnsaved())) return null;
    const copy = await takeCopy(index.stats);
    try {
      // It may have been doubted since.
      if (copy === null || !(await index.isUnsaved())) return null;
      return await this.#write(index);
    } finally {
      copy?.release();
    }
  }

  async #write(index: OpenIndex): Promise<number> {
    const { files, assertWritable } = this.#parts;
    const version = await index.snapshot(async (source) => {
      await assertWritable();
      await files.write(index.snapshotOwner, source);
    });
    index.noteSnapshot(version);
    return version;
  }

  /** What is left of them goes with the next snapshot. */
  async #prune(collectionId: number, version: number): Promise<void> {
    const { sql, log } = this.#parts;
    try {
      await pruneDeletions(sql, collectionId, version);
    } catch (error) {
      log.warn('deletions that a snapshot has could not be forgotten', { collectionId, error });
    }
  }

  #isDue(index: OpenIndex): boolean {
    return this.#parts.savesSnapshots && index.changesSinceSnapshot >= this.#changesWorthIt(index);
  }

  /** One of many imports gets on slowly: saved after each of its batches, its index would be written again and again. By halves all of them are twice what it has. */
  #changesWorthIt({ stats: { documentCount }, lastChanged }: OpenIndex): number {
    const { now, changesWithoutIdleMax } = this.#parts;
    const idleMs = now() - lastChanged;
    if (idleMs >= atRestMs) return Math.max(changesMin, documentCount / 50);
    if (idleMs >= idleBeforeSnapshotMs) return Math.max(changesMin, documentCount / 2);
    return Math.max(changesWithoutIdleMax, documentCount / 50);
  }
}

function isWorthWaitingFor({ changesSinceSnapshot, stats: { documentCount } }: OpenIndex): boolean {
  return changesSinceSnapshot >= Math.max(changesMin, Math.min(replayedMax, documentCount / 8));
}
