import type { Sql } from 'postgres';
import type { Log } from '#server/log.ts';
import { limits } from '#shared/limits.ts';
import { ByteBudget } from '../write/byte-budget.ts';
import { pruneDeletions } from '../write/statements.ts';
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
}

const idleBeforeSnapshotMs = 3_000;
/** Fewer are replayed sooner than a snapshot is written. */
const changesMin = 100;

/** When an index is worth a snapshot, and writing it, in the collection's turn. */
export class SnapshotSchedule {
  readonly #parts: SnapshotParts;
  readonly #turns: SerialQueue<number>;
  /** An index is copied to be written: of all that are at once, so much. */
  readonly #copies = new ByteBudget(limits.snapshotsBytesMax);
  /** Waiting for their turn, or being written. */
  readonly #pending = new Set<OpenIndex>();

  constructor(parts: SnapshotParts, turns: SerialQueue<number>) {
    this.#parts = parts;
    this.#turns = turns;
  }

  /** Writes those that have become worth it. Called on a timer. */
  saveDue(indexes: Iterable<OpenIndex>): void {
    for (const index of indexes) if (this.#isDue(index)) this.saveSoon(index);
  }

  /** Once however often it is asked for. */
  saveSoon(index: OpenIndex): void {
    if (this.#pending.has(index)) return;
    this.#pending.add(index);
    void this.#turns
      .run(index.collection.id, () => this.save(index))
      .finally(() => this.#pending.delete(index));
  }

  /** In the collection's turn. Never fails: without a snapshot the index is opened from an older one, or from the record. */
  async save(index: OpenIndex): Promise<void> {
    const { log } = this.#parts;
    try {
      if (!(await index.isUnsaved())) return;
      const copy = await this.#copies.take(index.collection.for, index.stats.memoryBytes);
      await this.#write(index).finally(copy.release);
    } catch (error) {
      // Not again at the next tick: a full disk does not pass that quickly.
      index.postponeSnapshot();
      log.warn('an index snapshot could not be written', { collectionId: index.collection.id, error });
    }
  }

  async #write(index: OpenIndex): Promise<void> {
    const { files, sql, assertWritable } = this.#parts;
    // It may have been doubted since.
    if (!(await index.isUnsaved())) return;
    const { snapshot, version } = await index.snapshot();
    await assertWritable();
    await files.write(index.snapshotOwner, snapshot);
    index.noteSnapshot(version);
    await pruneDeletions(sql, index.collection.id, version);
  }

  #isDue(index: OpenIndex): boolean {
    const { now, changesWithoutIdleMax } = this.#parts;
    const worthIt = Math.max(changesMin, index.stats.documentCount / 50);
    const isIdle = now() - index.lastChanged >= idleBeforeSnapshotMs;
    return index.changesSinceSnapshot >= (isIdle ? worthIt : Math.max(changesWithoutIdleMax, worthIt));
  }
}
