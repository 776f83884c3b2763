import type { Sql } from 'postgres';
import { partsOf } from '#server/admission/request-parts.ts';
import type { WriteOptions } from '#server/db/client.ts';
import type { IndexStats, WriteBatch } from '#server/engine/types.ts';
import { AppError } from '#server/errors.ts';
import { RecentMap } from '#server/memory/recent-map.ts';
import type { EngineReply, EngineRequest, ReadCall } from '../host/engine-calls.ts';
import type { CollectionHandle } from '../indexes.ts';
import { notSearchable, notStored, toCallerError } from './caller-errors.ts';
import type { ChangeOptions, ChangeTask, Need } from './change.ts';
import { CollectionIndexes } from './collection-indexes.ts';
import { compareIndex } from './compare-index.ts';
import { type IndexLook, lookAt } from './index-look.ts';
import { IndexMemory } from './index-memory.ts';
import { IndexTooLargeError, tooLargeMax } from './memory-errors.ts';
import type { Wait } from './memory-hold.ts';
import { OpenIndex, type OpenIndexParts } from './open-index.ts';
import { retryLost } from './retry-lost.ts';
import { runInTime } from './run-in-time.ts';
import { SerialQueue } from './serial-queue.ts';
import { type SnapshotParts, SnapshotSchedule } from './snapshot-schedule.ts';
import type { Standing } from './who-leaves.ts';

type Parts = Omit<OpenIndexParts, 'tooLarge'> & Omit<SnapshotParts, 'assertWritable'>;

export interface RegistryOptions extends Parts {
  memoryBytesMax: number;
  /** How long a request waits for memory that others have. */
  memoryWaitMs: number;
  /** How long a request waits for what else is done to its collection. */
  turnWaitMs: number;
  /** The record as somebody's whose collection is opened. */
  sqlOf: (tenant: string) => Sql;
  assertWritable: (options?: WriteOptions) => Promise<void>;
  /** Told after a change of a collection's documents was committed. */
  onChanged?: ((collectionId: number) => void) | undefined;
}

/**
 * Which indexes are open. One is opened on first use, once there is memory for it, by one caller while the others wait; changes to a collection take
 * turns; others leave when there is no memory. An index that may be behind the record is compared with it before it answers.
 */
export class IndexRegistry extends CollectionIndexes {
  readonly #options: RegistryOptions;
  readonly #parts: OpenIndexParts;
  readonly #indexes = new Map<number, OpenIndex>();
  readonly #turns = new SerialQueue<number>();
  readonly #snapshots: SnapshotSchedule;
  readonly #memory: IndexMemory;

  constructor(options: RegistryOptions) {
    super();
    this.#options = options;
    this.#parts = { ...options, tooLarge: new RecentMap({ entriesMax: tooLargeMax }) };
    this.#snapshots = new SnapshotSchedule(options, this.#turns);
    this.#memory = new IndexMemory({
      bytesMax: options.memoryBytesMax,
      now: options.now,
      standingOf: (collectionId) => this.#standingOf(collectionId),
      evict: (collectionId, isDrained) => this.#evict(collectionId, isDrained),
    });
  }

  async readVersion<Name extends ReadCall>(
    collection: CollectionHandle,
    request: EngineRequest<Name>,
    signal?: AbortSignal,
  ): Promise<{ reply: EngineReply<Name>; version: number }> {
    const attempt = async () => {
      const index = await this.#ready(collection, signal);
      const { version } = index.stats;
      return { reply: await index.read(collection.for, request, signal), version };
    };
    try {
      return await partsOf(signal).run(() => retryLost(attempt));
    } catch (error) {
      throw toCallerError(error);
    }
  }

  /**
   * Runs a change in the collection's turn, if that comes in time, and waits until its versions are applied, which may overlap with the next turn: the engine
   * applies in the order of the turns. The task reads the index, if at all, before its first statement, since it is run again when the
   * index was lost. What adds nothing gets null for an index that is too large to be opened. When it fails for a reason that is not the
   * caller's, the index is compared with the record before it answers again: a statement whose connection broke may have been committed.
   */
  async change<T>(collection: CollectionHandle, options: ChangeOptions, task: ChangeTask<T>): Promise<T> {
    const wait = this.#wait();
    const { onFailed, isOnlyIfOpen = false, ...may } = options;
    const commit = async () => {
      await this.#options.assertWritable(may);
      return await this.#commit(collection, task, wait, { adds: !may.mayUseReserve, isOnlyIfOpen });
    };
    const { answer, applied, isChanged } = await this.#inTime(collection.id, async () => {
      const { index, change } = await commit().catch((error: unknown) => {
        onFailed?.(error);
        throw error;
      });
      // Begun within the turn, so that the batches of the next one come behind them.
      const applied = index ? change.batches.map((batch) => this.#apply(index, batch)) : [];
      return { answer: change.answer, applied: Promise.all(applied), isChanged: change.batches.length > 0 };
    });
    await applied.finally(() => (isChanged ? this.#options.onChanged?.(collection.id) : undefined));
    return answer;
  }

  /** Makes an index anew from the record, whatever its files hold, and lets a collection in again that had ended its thread. */
  async repair(collection: CollectionHandle): Promise<IndexStats> {
    const { files, host } = this.#options;
    const wait = this.#wait();
    try {
      const index = await this.#inTime(collection.id, async () => {
        host.release(collection.id);
        const known = this.#indexes.get(collection.id);
        if (known) await this.#close(known);
        await files.remove(collection.id);
        this.#parts.tooLarge.delete(String(collection.id));
        return this.#ensure(collection, wait);
      });
      return index.stats;
    } catch (error) {
      throw toCallerError(error);
    }
  }

  /** Forgets an index and its files. */
  drop(collectionId: number): Promise<void> {
    return this.#turns.run(collectionId, async () => {
      const index = this.#indexes.get(collectionId);
      if (index) await this.#close(index);
      await this.#options.files.remove(collectionId);
    });
  }

  /** The record may hold what did not come through here, of one collection or of any: its index is compared with it before it answers again. */
  doubt(collectionId?: number): void {
    for (const [id, index] of this.#indexes) if (id === (collectionId ?? id)) index.doubt();
  }

  stats(): { loaded: number; memoryBytes: number } {
    return { loaded: this.#indexes.size, memoryBytes: this.#memory.heldBytes };
  }

  look(id: number): IndexLook | null {
    return lookAt(this.#indexes.get(id), this.#parts.tooLarge.get(String(id)) !== undefined);
  }

  /** Writes the snapshots that have become worth it, and asks again for memory that has rested; called on a timer. */
  tick(): void {
    this.#snapshots.saveDue(this.#indexes.values());
    this.#memory.serve();
  }

  /** Lets everything queued end, then writes all pending snapshots. */
  async stop(): Promise<void> {
    await this.#turns.idle();
    for (const index of this.#indexes.values()) this.#snapshots.saveSoon(index);
    await this.#turns.idle();
  }

  async #ready(collection: CollectionHandle, signal: AbortSignal | undefined): Promise<OpenIndex> {
    signal?.throwIfAborted();
    const index = this.#indexes.get(collection.id);
    if (index?.canAnswer) return index;
    const wait = this.#wait(signal);
    return partsOf(signal).wait(this.#inTime(collection.id, () => this.#ensure(collection, wait), signal));
  }

  /** In the collection's turn. @throws AppError UNAVAILABLE when that does not come in time: nothing is done then */
  #inTime<T>(collectionId: number, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return runInTime(this.#turns, collectionId, { waitMs: this.#options.turnWaitMs, signal }, task);
  }

  /** From now on, whatever it has to wait for first. */
  #wait(signal?: AbortSignal): Wait {
    const { now, memoryWaitMs } = this.#options;
    return { until: now() + memoryWaitMs, againMs: memoryWaitMs, signal };
  }

  /** In the collection's turn, as all below: the index, opened or compared with the record where that is needed. */
  async #ensure(collection: CollectionHandle, wait: Wait): Promise<OpenIndex> {
    for (;;) {
      const index = this.#indexes.get(collection.id) ?? (await this.#open(collection, wait));
      if (index.state === 'fresh') return index;
      const outcome =
        index.state === 'behind' ? await compareIndex(index, wait, this.#options.log) : 'refused';
      if (outcome === 'record away') return index;
      if (outcome === 'refused') await this.#close(index);
    }
  }

  /** In the collection's turn, in which alone it is opened. Null: the change goes to the record alone. */
  async #ensureFor(collection: CollectionHandle, wait: Wait, { adds, isOnlyIfOpen }: Need) {
    if (isOnlyIfOpen && !this.#indexes.has(collection.id)) return null;
    if (!adds) return await this.#ensureIfFits(collection, wait);
    const index = await this.#ensure(collection, wait).catch(notStored);
    await index.makeRoom(wait).catch(notStored);
    return index;
  }

  /** Null: it is too large. That is known of one that was found too large, whatever has been deleted since: it would be read in vain. */
  async #ensureIfFits(collection: CollectionHandle, wait: Wait): Promise<OpenIndex | null> {
    const { id } = collection;
    if (!this.#indexes.has(id) && this.#parts.tooLarge.get(String(id))) return null;
    try {
      return await this.#ensure(collection, wait);
    } catch (error) {
      if (error instanceof IndexTooLargeError) return null;
      throw error;
    }
  }

  async #open(collection: CollectionHandle, wait: Wait): Promise<OpenIndex> {
    const { now, log } = this.#options;
    const startedAt = now();
    const sql = this.#options.sqlOf(collection.for.tenant);
    const index = new OpenIndex({ ...this.#parts, sql }, collection, this.#memory.hold(collection));
    this.#indexes.set(collection.id, index);
    try {
      await index.open(wait);
    } catch (error) {
      await this.#close(index);
      throw error;
    }
    const { documentCount: documents, memoryBytes } = index.stats;
    const tookMs = now() - startedAt;
    log.debug('index opened', { collectionId: collection.id, documents, memoryBytes, tookMs });
    return index;
  }

  async #commit<T>(collection: CollectionHandle, task: ChangeTask<T>, wait: Wait, need: Need) {
    let index: OpenIndex | null | undefined;
    try {
      return await retryLost(async () => {
        const ensured = await this.#ensureFor(collection, wait, need);
        index = ensured;
        return { index: ensured, change: await task(ensured) };
      });
    } catch (thrown) {
      const error = toCallerError(thrown);
      if (!(error instanceof AppError) || error.status >= 500) index?.doubt();
      throw error;
    }
  }

  /**
   * After a commit. When the engine fails here the record is right, so the index is opened anew from it before the change is answered.
   * Versions that were handed over behind the one that failed find their index lost and wait for the new one too.
   */
  async #apply(index: OpenIndex, batch: WriteBatch): Promise<void> {
    const { collection } = index;
    try {
      await index.apply(batch);
    } catch (error) {
      this.#options.log.warn('a committed change was not applied; the index is opened anew', {
        collectionId: collection.id,
        error,
      });
    }
    if (index.state !== 'lost') return;
    await this.#inTime(collection.id, () => this.#ensure(collection, this.#wait())).catch(notSearchable);
  }

  #standingOf(collectionId: number): Standing {
    const index = this.#indexes.get(collectionId);
    if (!index || index.isExpected) return 'fixed';
    if (!index.isInUse && !this.#turns.isBusy(collectionId)) return 'idle';
    return index.hasResided ? 'busy' : 'fixed';
  }

  /** Changes that wait for their turn wait for its return. */
  async #evict(collectionId: number, isDrained: boolean): Promise<void> {
    const index = this.#indexes.get(collectionId);
    if (!index) return;
    if (isDrained) index.drain();
    await this.#turns.runNext(collectionId, async () => {
      if (this.#indexes.get(collectionId) !== index) return;
      const canLeave = this.#memory.isShort && (await this.#snapshots.saveToLeave(index, isDrained));
      if (!canLeave) return index.stay();
      await this.#close(index);
      this.#options.log.debug('index evicted', { collectionId, memoryBytes: index.stats.memoryBytes });
    });
  }

  /** Its place is free at once; reads that come meanwhile wait for their turn. */
  async #close(index: OpenIndex): Promise<void> {
    if (this.#indexes.get(index.collection.id) === index) this.#indexes.delete(index.collection.id);
    await index.close();
  }
}
