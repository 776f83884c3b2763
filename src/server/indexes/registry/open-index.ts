import type { Requester } from '#server/admission/requester.ts';
import type { IndexStats, WriteBatch } from '#server/engine/types.ts';
import { notFound } from '#server/errors.ts';
import { applyBatch } from '../host/apply-batch.ts';
import { isBulk } from '../host/call-queue.ts';
import type { EngineReply, EngineRequest, ReadCall } from '../host/engine-calls.ts';
import { IndexLostError } from '../host/index-lost-error.ts';
import { type SnapshotSource, withSnapshot } from '../host/snapshot-source.ts';
import type { CollectionHandle } from '../indexes.ts';
import type { AskedIndex } from './asked-index.ts';
import type { IndexState } from './index-look.ts';
import { atMostGrown, heldBytes } from './index-size.ts';
import { type MemoryHold, roomOf, type Wait } from './memory-hold.ts';
import { noStats } from './no-stats.ts';
import { catchUp, type RestoreParts, restoreIndex } from './restore-index.ts';
import { readState } from './rows.ts';

export interface OpenIndexParts extends RestoreParts {
  /** Milliseconds that only grow. */
  now: () => number;
}

const uncomparedMs = 1_000;
/** So long it is waited for that somebody asks what was opened for a question. */
const expectedMs = 1_000;
/** So long an index that is asked without end stays before it makes room for others. */
const residenceMs = 5_000;

/** One collection's index in its host. Changes are made in the collection's turn, reads at any time. */
export class OpenIndex implements AskedIndex {
  readonly collection: CollectionHandle;
  readonly #parts: OpenIndexParts;
  readonly #hold: MemoryHold;
  #state: IndexState = 'opening';
  /** How often it was doubted: a comparison that began before the last doubt does not settle it. */
  #doubts = 0;
  #uncomparedUntil = 0;
  /** It has every answered write. Not so when it skipped a version, or while it takes over what a comparison found missing. */
  #isWhole = true;
  #stats = noStats;
  #createdAtMicros = '';
  #language: string | null = null;
  /** The last version that was handed to the engine, be it applied yet or not. */
  #handedVersion = 0;
  /** Ends with the last batch that was handed over. */
  #applied: Promise<unknown> = Promise.resolve();
  #users = 0;
  /** Ends the wait for the last user. */
  #whenUnused: (() => void) | null = null;
  /** Aborted: it is to leave as soon as nobody uses it, and whoever comes now waits for its return. */
  #stay = new AbortController();
  #openedAt = 0;
  #lastChanged: number;
  /** −1: there is no snapshot that can be used. */
  #snapshotVersion = -1;
  #changesSinceSnapshot = 0;

  constructor(parts: OpenIndexParts, collection: CollectionHandle, hold: MemoryHold) {
    this.collection = collection;
    this.#parts = parts;
    this.#hold = hold;
    this.#lastChanged = parts.now();
  }

  get state(): IndexState {
    return this.#state;
  }

  get stats(): IndexStats {
    return this.#stats;
  }

  get lastUsed(): number {
    return this.#hold.lastUsed;
  }

  get lastChanged(): number {
    return this.#lastChanged;
  }

  get changesSinceSnapshot(): number {
    return this.#changesSinceSnapshot;
  }

  get canAnswer(): boolean {
    if (this.#stay.signal.aborted) return false;
    if (this.#state === 'behind') return this.#isWhole && this.#parts.now() < this.#uncomparedUntil;
    return this.#state === 'fresh';
  }

  get isInUse(): boolean {
    return this.#users > 0;
  }

  /** What was opened for somebody is not closed before it was asked. */
  get isExpected(): boolean {
    const { now } = this.#parts;
    return (
      this.#state === 'opening' || (this.lastUsed <= this.#openedAt && now() < this.#openedAt + expectedMs)
    );
  }

  /** It has been open for long enough to be drained. */
  get hasResided(): boolean {
    return this.#state !== 'opening' && this.#parts.now() >= this.#openedAt + residenceMs;
  }

  /** From now on it is asked in the collection's turn only, so that it comes to an end; long reads are given up, to begin anew after its return. */
  drain(): void {
    this.#stay.abort(new IndexLostError(this.collection.id));
  }

  /** It stays after all. */
  stay(): void {
    if (this.#stay.signal.aborted) this.#stay = new AbortController();
  }

  /** Resolves once nobody uses it. */
  async unused(): Promise<void> {
    while (this.isInUse) await new Promise<void>((resolve) => (this.#whenUnused = resolve));
  }

  /** The record may hold a write that was not handed over. */
  doubt(): void {
    this.#doubts += 1;
    this.#uncomparedUntil = 0;
    if (this.#state === 'fresh') this.#state = 'behind';
  }

  /** The record is away: reads are answered for a while before it is asked again. @returns false when an answered write may be missing here: none is then */
  answerUncompared(): boolean {
    if (this.#isWhole) this.#uncomparedUntil = this.#parts.now() + uncomparedMs;
    return this.#isWhole;
  }

  /** @throws as `restoreIndex` */
  async open(wait: Wait): Promise<void> {
    const doubts = this.#doubts;
    const room = roomOf(this.#hold, wait, this.#parts.now);
    const restored = await restoreIndex(this.#parts, this.collection, room);
    this.#openedAt = this.#parts.now();
    this.#createdAtMicros = restored.createdAtMicros;
    this.#language = restored.language;
    this.#snapshotVersion = restored.snapshotVersion;
    this.#settle(restored, doubts);
  }

  /** @throws when it is of no use any more; the record's error when that is away */
  async catchUp(wait: Wait): Promise<void> {
    const doubts = this.#doubts;
    await this.#applied;
    if (this.#state === 'lost') throw new IndexLostError(this.collection.id);
    const to = await readState(this.#parts.sql, this.collection.id);
    if (!to) throw notFound('Collection');
    // Until it has ended, a document may be deleted here whose new version was not read yet.
    this.#isWhole = false;
    const room = roomOf(this.#hold, wait, this.#parts.now);
    const from = { ...this.#stats, language: this.#language };
    const caughtUp = await catchUp(this.#parts, this.collection, { from, to, room });
    this.#settle(caughtUp, doubts);
    if (caughtUp.changes > 0) this.#lastChanged = this.#parts.now();
  }

  /** Before a change that adds to it: while it can still be opened again. @throws IndexTooLargeError, NoMemoryLeftError */
  makeRoom(wait: Wait): Promise<void> {
    const { memoryBytes } = this.#stats;
    return this.#hold.raiseTo({ about: memoryBytes, atLeast: atMostGrown(memoryBytes) }, wait);
  }

  #settle({ stats, changes }: { stats: IndexStats; changes: number }, doubts: number): void {
    this.#setStats(stats);
    this.#handedVersion = stats.version;
    this.#changesSinceSnapshot += changes;
    this.#isWhole = true;
    if (this.#state !== 'lost') this.#state = doubts === this.#doubts ? 'fresh' : 'behind';
  }

  /** @throws IndexLostError, FilterFaultError, the signal's reason */
  async read<Name extends ReadCall>(
    requester: Requester,
    request: EngineRequest<Name>,
    signal?: AbortSignal,
  ): Promise<EngineReply<Name>> {
    if (this.#state === 'lost') throw new IndexLostError(this.collection.id);
    const stay = this.#stay.signal;
    const heeded = isBulk(request) ? AbortSignal.any(signal ? [stay, signal] : [stay]) : signal;
    this.#use();
    try {
      return await this.#parts.host.call({ id: this.collection.id, for: requester }, request, heeded);
    } catch (error) {
      if (error instanceof IndexLostError && error !== stay.reason) this.#state = 'lost';
      throw error;
    } finally {
      this.#unuse();
    }
  }

  /** Reads what all batches handed over so far have left. */
  async readAfterWrites<Name extends ReadCall>(
    requester: Requester,
    request: EngineRequest<Name>,
    signal?: AbortSignal,
  ): Promise<EngineReply<Name>> {
    await this.#applied;
    return this.read(requester, request, signal);
  }

  /**
   * Hands a committed version to the engine; resolves when the next search sees it. Versions are contiguous, so one that does not follow
   * on the last tells of a write that was not handed over: the index is behind then, and this version comes with the comparison;
   * before it nothing is answered, not even with the record away.
   * @throws whatever the engine throws; the index is lost then
   */
  async apply(batch: WriteBatch): Promise<void> {
    if (this.#state === 'lost') throw new IndexLostError(this.collection.id);
    if (batch.version !== this.#handedVersion + 1) {
      this.#isWhole = false;
      return this.doubt();
    }
    this.#handedVersion = batch.version;
    const applying = this.#using(() => applyBatch(this.#parts.host, this.collection, batch));
    this.#applied = applying.catch(() => undefined);
    try {
      this.#setStats(await applying);
      this.#changesSinceSnapshot += batch.puts.length + batch.deletes.length;
      this.#lastChanged = this.#parts.now();
    } catch (error) {
      this.#state = 'lost';
      throw error;
    }
  }

  /** In the collection's turn, as `snapshot`. False: it is not known to equal the record, or its file has all of it. */
  async isUnsaved(): Promise<boolean> {
    await this.#applied;
    return this.#state === 'fresh' && this.#stats.version > this.#snapshotVersion;
  }

  async snapshot(store: (source: SnapshotSource) => Promise<void>): Promise<number> {
    const { version } = this.#stats;
    await withSnapshot(this.#parts.host, this.collection, store);
    return version;
  }

  get snapshotOwner() {
    return { collectionId: this.collection.id, createdAtMicros: this.#createdAtMicros };
  }

  /** A snapshot with everything up to this version is on the disk. */
  noteSnapshot(version: number): void {
    this.#snapshotVersion = version;
    this.#changesSinceSnapshot = 0;
  }

  /** Writing one failed: not before as many changes again. */
  postponeSnapshot(): void {
    this.#changesSinceSnapshot = 0;
  }

  /** Gives back its memory, wherever its opening ended. */
  async close(): Promise<void> {
    this.#state = 'lost';
    try {
      await this.#applied;
      await this.#parts.host.call(this.collection, { call: 'close' });
    } catch (error) {
      // A thread that died has closed it.
      if (!(error instanceof IndexLostError)) throw error;
    } finally {
      this.#hold.release();
    }
  }

  #setStats(stats: IndexStats): void {
    this.#stats = stats;
    this.#hold.set(heldBytes(stats.memoryBytes));
  }

  #use(): void {
    this.#users += 1;
    this.#hold.touch();
  }

  #unuse(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    this.#whenUnused?.();
    this.#hold.rest();
  }

  async #using<T>(task: () => Promise<T>): Promise<T> {
    this.#use();
    try {
      return await task();
    } finally {
      this.#unuse();
    }
  }
}
