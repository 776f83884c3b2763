import { FairQueue } from '#server/admission/fair-queue.ts';
import { pathOf } from '#server/admission/requester.ts';
import { isDatabaseAway } from '#server/db/record-error.ts';
import type { BuiltInTier } from '#server/embeddings/embedder.ts';
import { AppError } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import type { WritableCollection } from '../indexes.ts';
import type { Upgrader } from './upgrader.ts';

export interface UpgradesOptions {
  upgrader: Upgrader;
  log: Log;
  /** Whether this server is the one that does it; absent: it is. */
  leads?: () => Promise<boolean>;
  /** How long after the start, and after a change, documents are looked for: whoever writes one at a time is not followed one at a time. */
  delayMs: number;
  /** After a failure. */
  retryMs: number;
}

/** When something that has failed may work again. */
const failedMs = 600_000;
/** How often a server that does not upgrade looks whether it is to, since the one that did is gone. */
const followMs = 30_000;
/** What a tenant owes at most for what was done while nobody else waited, in milliseconds. */
const debtMax = 60_000;

/**
 * Documents are searchable at once, with the table's vectors or by their words alone. Here they are given the transformer's, or a service's, in the
 * background: tenants take turns by the time it took. What is to do is in the record, so that a restart goes on where it was. From the
 * transformer's first document on a collection's queries are its too.
 */
export class Upgrades {
  readonly #options: UpgradesOptions;
  readonly #queue = new FairQueue<WritableCollection>(
    (collection) => ({ path: pathOf(collection.for), weight: 1 }),
    debtMax,
  );
  readonly #queued = new Map<number, WritableCollection>();
  readonly #upgraded = new Set<number>();
  /** Collections to look at; null: all. */
  #changed: Set<number> | null = null;
  /** Collections that may do later. */
  readonly #failed = new Set<number>();
  #timer: NodeJS.Timeout | null = null;
  #work: Promise<void> | null = null;
  readonly #stopping = new AbortController();

  constructor(options: UpgradesOptions) {
    this.#options = options;
    this.#work = this.#learn().then(
      () => this.#worked(options.delayMs),
      (error: unknown) => {
        options.log.warn('it is not known yet which collections are upgraded', { error });
        this.#worked(options.retryMs);
      },
    );
  }

  tierOf(collectionId: number): BuiltInTier {
    return this.#upgraded.has(collectionId) ? 'transformer' : 'static';
  }

  /** After a change of its documents. */
  note(collectionId: number): void {
    this.#changed?.add(collectionId);
    this.#workIn(this.#options.delayMs);
  }

  /** Changes were made that nobody told of. */
  noteAll(): void {
    this.#changed = null;
    this.#workIn(this.#options.delayMs);
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('The server stops'));
    if (this.#timer) clearTimeout(this.#timer);
    await this.#work;
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  #workIn(delayMs: number): void {
    if (this.#timer || this.#work || this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#work = this.#workAll().then((againMs) => this.#worked(againMs));
    }, delayMs);
    this.#timer.unref();
  }

  #worked(againMs: number | null): void {
    this.#work = null;
    if (againMs !== null) this.#workIn(againMs);
  }

  async #learn(): Promise<void> {
    for (const id of await this.#options.upgrader.upgraded()) this.#upgraded.add(id);
  }

  /** @returns when to work again; null: when something changes */
  async #workAll(): Promise<number | null> {
    const { log, upgrader, delayMs, retryMs, leads } = this.#options;
    try {
      if (leads !== undefined && !(await leads())) return await this.#follow();
      await this.#look();
      for (let next = this.#queue.takeNext(); next !== null; next = this.#queue.takeNext()) {
        await this.#upgrade(next);
        if (this.#isStopped) return null;
        await this.#look();
      }
      await upgrader.rest();
      if (upgrader.hasFailed()) return this.#restAll();
      for (const id of this.#failed) this.#changed?.add(id);
      const againMs = this.#failed.size > 0 ? retryMs : delayMs;
      this.#failed.clear();
      return this.#changed?.size === 0 ? null : againMs;
    } catch (error) {
      if (this.#isStopped) return null;
      if (upgrader.hasFailed()) return this.#restAll();
      log.warn('documents could not be upgraded; it is tried again', { error });
      this.#changed = null;
      return retryMs;
    }
  }

  /** Another server does it: what that one has upgraded is asked for, and all is looked at should this one take over. */
  async #follow(): Promise<number> {
    await this.#learn();
    this.#changed = null;
    return followMs;
  }

  /** It has failed: all is looked at again when it may work. */
  #restAll(): number {
    this.#changed = null;
    this.#failed.clear();
    return failedMs;
  }

  /** Queues those of the changed collections that have something to upgrade. */
  async #look(): Promise<void> {
    const { upgrader } = this.#options;
    const changed = this.#changed;
    if (changed?.size === 0) return;
    this.#changed = new Set();
    if (changed === null) await this.#learn();
    for (const collection of await upgrader.toUpgrade(changed && [...changed])) {
      const known = this.#queued.get(collection.id);
      if (known) this.#queue.remove(known);
      this.#queued.set(collection.id, collection);
      this.#queue.add(collection);
    }
  }

  async #upgrade(collection: WritableCollection): Promise<void> {
    this.#queued.delete(collection.id);
    const startedAt = performance.now();
    let count = 0;
    try {
      count = await this.#options.upgrader.upgradeSome(collection, this.#stopping.signal);
    } catch (error) {
      // It was deleted, its index has no room, or one of its documents is at fault: others go on.
      if (this.#isStopped || isDatabaseAway(error)) throw error;
      // What is not there for a while is told of once, by itself; and a deleted collection is no fault.
      const isExpected = error instanceof AppError && /^(UNAVAILABLE|NOT_FOUND)$/.test(error.code);
      const level = isExpected ? 'debug' : 'warn';
      this.#options.log[level]('a collection is not upgraded', { collectionId: collection.id, error });
      if (!(error instanceof AppError) || error.status >= 500) this.#failed.add(collection.id);
    } finally {
      this.#queue.charge(collection, performance.now() - startedAt);
    }
    if (count === 0) return;
    this.#upgraded.add(collection.id);
    if (this.#queued.has(collection.id)) return;
    this.#queued.set(collection.id, collection);
    this.#queue.add(collection);
  }
}
