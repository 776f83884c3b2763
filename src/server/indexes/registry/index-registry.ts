import type { WriteOptions } from '#server/db/client.ts';
import { toRecordError } from '#server/db/record-error.ts';
import type { IndexStats, WriteBatch } from '#server/engine/types.ts';
import { AppError } from '#server/errors.ts';
import { ThreadEndedError } from '../host/call-errors.ts';
import type { EngineReply, EngineRequest, ReadCall } from '../host/engine-calls.ts';
import { IndexLostError } from '../host/index-lost-error.ts';
import type { CollectionHandle } from '../indexes.ts';
import { notSearchable, toCallerError } from './caller-errors.ts';
import { indexesToEvict, memoryOfIndexes } from './memory-budget.ts';
import { OpenIndex, type OpenIndexParts } from './open-index.ts';
import { SerialQueue } from './serial-queue.ts';
import { type SnapshotParts, SnapshotSchedule } from './snapshot-schedule.ts';
import { unlessAborted } from './unless-aborted.ts';

export interface RegistryOptions extends OpenIndexParts, Omit<SnapshotParts, 'assertWritable'> {
  memoryBytesMax: number;
  assertWritable: (options?: WriteOptions) => Promise<void>;
}

/** What a change came to: the caller's answer, and the versions it committed, in their order. */
export interface Change<T> {
  answer: T;
  batches: WriteBatch[];
}

/**
 * Which indexes are open. One is opened on first use, by one caller while the others wait; changes to a collection take turns; idle ones
 * leave, least recently used first, while the hosts hold more than the budget. An index that may be behind the record is compared with
 * it before it answers.
 */
export class IndexRegistry {
  readonly #options: RegistryOptions;
  readonly #indexes = new Map<number, OpenIndex>();
  readonly #turns = new SerialQueue<number>();
  readonly #snapshots: SnapshotSchedule;

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.#snapshots = new SnapshotSchedule(options, this.#turns);
  }

  /** Asks an index that has every answered write. @throws AppError, the signal's reason */
  async read<Name extends ReadCall>(
    collection: CollectionHandle,
    request: EngineRequest<Name>,
    signal?: AbortSignal,
  ): Promise<EngineReply<Name>> {
    const attempt = async () => (await this.#ready(collection, signal)).read(collection.for, request, signal);
    try {
      return await retryLost(attempt);
    } catch (error) {
      throw toCallerError(error);
    }
  }

  /**
   * Runs a change in the collection's turn and waits until its versions are applied, which may overlap with the next turn: the engine
   * applies in the order of the turns. The task reads the index, if at all, before its first statement, since it is run again when the
   * index was lost. When it fails for a reason that is not the caller's, the index is compared with the record before it answers again:
   * a statement whose connection broke may have been committed.
   */
  async change<T>(
    collection: CollectionHandle,
    options: WriteOptions,
    task: (index: OpenIndex) => Promise<Change<T>>,
  ): Promise<T> {
    const { answer, applied } = await this.#turns.run(collection.id, async () => {
      await this.#options.assertWritable(options);
      const { index, change } = await this.#commit(collection, task);
      // Begun within the turn, so that the batches of the next one come behind them.
      const applied = change.batches.map((batch) => this.#apply(index, batch));
      return { answer: change.answer, applied: Promise.all(applied) };
    });
    await applied;
    this.#trim();
    return answer;
  }

  /** Makes an index anew from the record, whatever its files hold, and lets a collection in again that had ended its thread. */
  async repair(collection: CollectionHandle): Promise<IndexStats> {
    const { files, host } = this.#options;
    try {
      const index = await this.#turns.run(collection.id, async () => {
        host.release(collection.id);
        const known = this.#indexes.get(collection.id);
        if (known) await this.#close(known);
        await files.remove(collection.id);
        return this.#ensure(collection);
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

  /** The record may hold writes that did not come through here: each index is compared with it before it answers again. */
  doubtAll(): void {
    for (const index of this.#indexes.values()) index.doubt();
  }

  stats(): { loaded: number; memoryBytes: number } {
    return { loaded: this.#indexes.size, memoryBytes: memoryOfIndexes(this.#indexes.values()) };
  }

  /** Writes the snapshots that have become worth it; called on a timer. */
  saveDue(): void {
    this.#snapshots.saveDue(this.#indexes.values());
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
    const ensured = this.#turns.run(collection.id, () => {
      signal?.throwIfAborted();
      return this.#ensure(collection);
    });
    return unlessAborted(ensured, signal);
  }

  /** In the collection's turn, as all below: the index, opened or compared with the record where that is needed. */
  async #ensure(collection: CollectionHandle): Promise<OpenIndex> {
    for (;;) {
      const index = this.#indexes.get(collection.id) ?? (await this.#open(collection));
      if (index.state === 'fresh') return index;
      const outcome = index.state === 'behind' ? await this.#catchUp(index) : 'refused';
      if (outcome === 'record away') return index;
      if (outcome === 'refused') await this.#close(index);
    }
  }

  async #open(collection: CollectionHandle): Promise<OpenIndex> {
    const { now, log, memoryBytesMax } = this.#options;
    const startedAt = now();
    const index = new OpenIndex(this.#options, collection);
    this.#indexes.set(collection.id, index);
    try {
      await index.open();
    } catch (error) {
      await this.#close(index);
      throw error;
    }
    const { documentCount: documents, memoryBytes } = index.stats;
    const fields = { collectionId: collection.id, documents, memoryBytes, tookMs: now() - startedAt };
    if (memoryBytes > memoryBytesMax) log.warn('an index is larger than the memory budget', fields);
    else log.debug('index opened', fields);
    this.#trim();
    return index;
  }

  /**
   * With the database away an index that has every answered write still answers reads: what is missing was never answered. Changes fail
   * at their own statement then.
   * @throws AppError UNAVAILABLE with the database away, when the index may lack an answered write
   */
  async #catchUp(index: OpenIndex): Promise<'compared' | 'record away' | 'refused'> {
    const { log } = this.#options;
    const collectionId = index.collection.id;
    try {
      await index.catchUp();
      return 'compared';
    } catch (error) {
      const away = toRecordError(error);
      if (away) {
        log.warn('an index could not be compared with the record', { collectionId, error });
        if (!index.answerUncompared()) throw away;
        return 'record away';
      }
      log.warn('an index is opened anew', { collectionId, error });
      return 'refused';
    }
  }

  async #commit<T>(collection: CollectionHandle, task: (index: OpenIndex) => Promise<Change<T>>) {
    let index: OpenIndex | undefined;
    try {
      return await retryLost(async () => {
        index = await this.#ensure(collection);
        return { index, change: await task(index) };
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
    await this.#turns.run(collection.id, () => this.#ensure(collection)).catch(notSearchable);
  }

  #trim(): void {
    const evicted = indexesToEvict([...this.#indexes.values()], {
      bytesMax: this.#options.memoryBytesMax,
      canLeave: (index) => !index.isInUse && !this.#turns.isBusy(index.collection.id),
    });
    for (const index of evicted) {
      const { id: collectionId } = index.collection;
      this.#turns
        .run(collectionId, () => this.#evict(index))
        // One that stayed because it was asked again leaves its place to another.
        .then(() => this.#trim())
        .catch((error: unknown) =>
          this.#options.log.warn('an index was not evicted', { collectionId, error }),
        );
    }
  }

  async #evict(index: OpenIndex): Promise<void> {
    const { lastUsed } = index;
    await this.#snapshots.save(index);
    // Asked again while its snapshot was written: closing it would only open it once more.
    if (index.isInUse || index.lastUsed !== lastUsed) return;
    await this.#close(index);
    const { memoryBytes } = index.stats;
    this.#options.log.debug('index evicted', { collectionId: index.collection.id, memoryBytes });
  }

  /** Its place is free at once; reads that come meanwhile wait for their turn. */
  async #close(index: OpenIndex): Promise<void> {
    if (this.#indexes.get(index.collection.id) === index) this.#indexes.delete(index.collection.id);
    await index.close();
  }
}

/** Once more when an index was lost on the way; the second time it is an error. */
async function retryLost<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    // What was at work when its thread ended might end the next one too.
    if (!(error instanceof IndexLostError) || error instanceof ThreadEndedError) throw error;
    return attempt();
  }
}
