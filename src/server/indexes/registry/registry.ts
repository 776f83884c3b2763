import { toRecordError } from '#server/db/record-error.ts';
import type { IndexStats, WriteBatch } from '#server/engine/types.ts';
import { AppError, notFound } from '#server/errors.ts';
import type { EngineReply, EngineRequest, ReadCall } from '../host/engine-calls.ts';
import type { EngineHost } from '../host/engine-host.ts';
import { IndexLostError } from '../host/index-lost-error.ts';
import { packBatch } from '../host/packed-batch.ts';
import type { CollectionHandle } from '../indexes.ts';
import { pruneDeletions } from '../write/statements.ts';
import { callersFault, notSearchable } from './caller-errors.ts';
import { catchUp, type RestoreParts, restoreIndex } from './restore.ts';
import { readState } from './rows.ts';
import { SerialQueue } from './serial-queue.ts';

/** An index in a host, and how it stands to the record and to its file. */
interface OpenIndex {
  stats: IndexStats;
  birth: string;
  snapshotVersion: number;
  /** The record may be ahead: a write ended in an unknown way, or the engine failed after a commit. */
  isStale: boolean;
  changesSinceSnapshot: number;
  lastUsed: number;
  lastChanged: number;
  users: number;
}

/** What a change may do with the index of its collection, inside the collection's turn. */
export interface Turn {
  /** Hands a committed version to the engine. The change is answered once the next search sees it; its turn need not last that long. */
  apply(batch: WriteBatch): void;
  host: EngineHost;
}

export interface RegistryOptions extends RestoreParts {
  memoryBytesMax: number;
  assertWritable: () => Promise<void>;
  now: () => number;
}

const idleBeforeSnapshotMs = 3_000;
const changesWithoutIdleMax = 50_000;

/**
 * Which indexes are open. One is opened on first use, by one caller while the others wait; changes to a collection take turns; idle ones
 * leave, least recently used first, while the hosts hold more than the budget. An index that may be behind the record is caught up
 * before it answers.
 */
export class IndexRegistry {
  readonly #options: RegistryOptions;
  readonly #open = new Map<number, OpenIndex>();
  readonly #queue = new SerialQueue<number>();

  constructor(options: RegistryOptions) {
    this.#options = options;
  }

  /** Reads an index that has every answered write. */
  async read<Name extends ReadCall>(
    collection: CollectionHandle,
    request: EngineRequest<Name>,
    signal?: AbortSignal,
  ): Promise<EngineReply<Name>> {
    const attempt = async () => {
      signal?.throwIfAborted();
      const index =
        this.#fresh(collection.id) ?? (await this.#queue.run(collection.id, () => this.#ensure(collection)));
      return this.#using(index, () => this.#options.host.call(collection.id, request, signal));
    };
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof IndexLostError)) throw callersFault(error);
      this.#open.delete(collection.id);
      return attempt();
    }
  }

  /**
   * Runs a change in the collection's turn and waits until its versions are applied, which may overlap with the next turn: the host
   * applies in the order of the turns. When it fails for a reason that is not the caller's, the index is taken to be behind the record
   * from then on: a statement whose connection broke may have been committed.
   */
  async change<T>(collection: CollectionHandle, task: (turn: Turn) => Promise<T>): Promise<T> {
    const applying: Promise<void>[] = [];
    const result = await this.#queue.run(collection.id, async () => {
      const index = await this.#ensure(collection);
      const apply = (batch: WriteBatch) => {
        const applied = this.#apply(collection, index, batch);
        // Its failure is this change's, further down; until then nobody listens.
        applied.catch(() => undefined);
        applying.push(applied);
      };
      try {
        return await this.#using(index, () => task({ host: this.#options.host, apply }));
      } catch (thrown) {
        const error = callersFault(thrown);
        if (!(error instanceof AppError) || error.status >= 500) index.isStale = true;
        throw error;
      }
    });
    await Promise.all(applying);
    this.#trimLater();
    return result;
  }

  /** Forgets an index and its files. */
  drop(collectionId: number): Promise<void> {
    return this.#queue.run(collectionId, async () => {
      if (this.#open.delete(collectionId)) await this.#options.host.call(collectionId, { call: 'close' });
      await this.#options.files.remove(collectionId);
    });
  }

  /** The record may hold writes that did not come through here: each index is compared with it before it answers again. */
  doubtAll(): void {
    for (const index of this.#open.values()) index.isStale = true;
  }

  stats(): { loaded: number; memoryBytes: number } {
    const indexes = [...this.#open.values()];
    return {
      loaded: indexes.length,
      memoryBytes: indexes.reduce((sum, index) => sum + index.stats.memoryBytes, 0),
    };
  }

  /** Writes the snapshots that have become worth it; called on a timer. */
  saveDue(): void {
    const now = this.#options.now();
    for (const [id, index] of this.#open) {
      const worthIt = Math.max(100, index.stats.documentCount / 50);
      const isIdle = now - index.lastChanged >= idleBeforeSnapshotMs;
      const isDue =
        index.changesSinceSnapshot >= (isIdle ? worthIt : Math.max(changesWithoutIdleMax, worthIt));
      if (isDue && !this.#queue.isBusy(id)) this.#background(id, () => this.#save(id));
    }
  }

  /** Lets everything queued end, then writes all pending snapshots. */
  async stop(): Promise<void> {
    await this.#queue.idle();
    for (const id of this.#open.keys()) this.#background(id, () => this.#save(id));
    await this.#queue.idle();
  }

  #fresh(collectionId: number): OpenIndex | null {
    const index = this.#open.get(collectionId);
    return index && !index.isStale ? index : null;
  }

  async #using<T>(index: OpenIndex, task: () => Promise<T>): Promise<T> {
    index.users += 1;
    index.lastUsed = this.#options.now();
    try {
      return await task();
    } finally {
      index.users -= 1;
    }
  }

  /** In the collection's turn: opens the index, or brings a stale one up to the record. */
  async #ensure(collection: CollectionHandle): Promise<OpenIndex> {
    const index = this.#open.get(collection.id);
    if (index?.isStale) return this.#freshen(collection, index);
    return index ?? (await this.#restore(collection));
  }

  async #restore(collection: CollectionHandle): Promise<OpenIndex> {
    const startedAt = this.#options.now();
    const restored = await restoreIndex(this.#options, collection);
    const now = this.#options.now();
    const index: OpenIndex = {
      ...restored,
      isStale: false,
      changesSinceSnapshot: restored.snapshotVersion === -1 ? restored.stats.documentCount : 0,
      lastUsed: now,
      lastChanged: now,
      users: 0,
    };
    this.#open.set(collection.id, index);
    this.#logOpened(collection.id, index, now - startedAt);
    this.#trimLater();
    return index;
  }

  #logOpened(collectionId: number, { stats }: OpenIndex, tookMs: number): void {
    const { log, memoryBytesMax } = this.#options;
    const fields = { collectionId, documents: stats.documentCount, memoryBytes: stats.memoryBytes, tookMs };
    if (stats.memoryBytes > memoryBytesMax) log.warn('an index is larger than the memory budget', fields);
    else log.debug('index opened', fields);
  }

  /**
   * With the database away, a stale index still answers reads: it holds every answered write, and what is missing was never answered.
   * Changes fail at their own statement then.
   */
  async #freshen(collection: CollectionHandle, index: OpenIndex): Promise<OpenIndex> {
    const { log } = this.#options;
    try {
      await this.#catchUp(collection, index);
      return index;
    } catch (error) {
      if (toRecordError(error)) {
        log.warn('an index could not be compared with the record', { collectionId: collection.id, error });
        return index;
      }
      log.error('an index is thrown away and restored', { collectionId: collection.id, error });
      this.#open.delete(collection.id);
      return this.#restore(collection);
    }
  }

  async #catchUp(collection: CollectionHandle, index: OpenIndex): Promise<void> {
    const state = await readState(this.#options.sql, collection.id);
    if (!state) throw notFound('Collection');
    if (state.prunedVersion > index.stats.version)
      throw new Error('deletions since then are no longer known');
    const from = index.stats.documentCount;
    index.stats = await catchUp(this.#options, collection.id, index.stats, state);
    index.isStale = false;
    index.changesSinceSnapshot += Math.abs(index.stats.documentCount - from) + 1;
    index.lastChanged = this.#options.now();
  }

  /**
   * After a commit. When the engine fails here the record is right, so the index is opened anew from it before anybody hears of the
   * change. Versions that were handed over behind the one that failed find their index gone and wait for the new one too.
   */
  async #apply(collection: CollectionHandle, index: OpenIndex, batch: WriteBatch): Promise<void> {
    const { host, log, now } = this.#options;
    try {
      const stats = await this.#using(index, () =>
        host.call(collection.id, { call: 'apply', batch: packBatch(batch) }),
      );
      if (this.#open.get(collection.id) !== index || index.isStale) throw new IndexLostError(collection.id);
      index.stats = stats;
      index.changesSinceSnapshot += batch.puts.length + batch.deletes.length;
      index.lastChanged = now();
    } catch (error) {
      log.warn('a committed change was not applied; the index is opened anew', {
        collectionId: collection.id,
        error,
      });
      if (this.#open.get(collection.id) === index) this.#open.delete(collection.id);
      await this.#queue.run(collection.id, () => this.#ensure(collection)).catch(notSearchable);
    }
  }

  async #save(collectionId: number): Promise<void> {
    const { host, files, sql, assertWritable } = this.#options;
    const index = this.#open.get(collectionId);
    if (!index || index.isStale || index.stats.version <= index.snapshotVersion) return;
    await assertWritable();
    const { version } = index.stats;
    await files.write(
      { collectionId, birth: index.birth },
      await host.call(collectionId, { call: 'snapshot' }),
    );
    index.snapshotVersion = version;
    index.changesSinceSnapshot = 0;
    await pruneDeletions(sql, collectionId, version);
  }

  #trimLater(): void {
    const { memoryBytesMax } = this.#options;
    let excess = this.stats().memoryBytes - memoryBytesMax;
    if (excess <= 0) return;
    const byAge = [...this.#open].sort(([, a], [, b]) => a.lastUsed - b.lastUsed);
    // The one used last stays, whatever its size: somebody is about to use it.
    for (const [id, index] of byAge.slice(0, -1)) {
      if (excess <= 0) return;
      if (index.users > 0 || this.#queue.isBusy(id)) continue;
      excess -= index.stats.memoryBytes;
      this.#background(id, () => this.#evict(id, index));
    }
  }

  async #evict(collectionId: number, index: OpenIndex): Promise<void> {
    if (this.#open.get(collectionId) !== index || index.users > 0) return;
    await this.#save(collectionId).catch((error: unknown) => this.#logFailed(collectionId, error));
    this.#open.delete(collectionId);
    await this.#options.host.call(collectionId, { call: 'close' });
    this.#options.log.debug('index evicted', { collectionId, memoryBytes: index.stats.memoryBytes });
  }

  /** Work nobody waits for, in the collection's turn. */
  #background(collectionId: number, task: () => Promise<void>): void {
    this.#queue.run(collectionId, task).catch((error: unknown) => this.#logFailed(collectionId, error));
  }

  #logFailed(collectionId: number, error: unknown): void {
    const index = this.#open.get(collectionId);
    // Not again at the next tick: a full disk does not pass that quickly.
    if (index) index.changesSinceSnapshot = 0;
    this.#options.log.warn('an index snapshot could not be written', { collectionId, error });
  }
}
