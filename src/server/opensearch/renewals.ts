import { TurnTooLate } from '#server/db/servers.ts';
import type { CollectionHandle } from '#server/indexes/indexes.ts';
import { SerialQueue } from '#server/indexes/registry/serial-queue.ts';
import type { Log } from '#server/log.ts';

interface RenewalsParts {
  log: Log;
  /** Makes an index anew that is searched and written to meanwhile. */
  renew: (collection: CollectionHandle) => Promise<void>;
  now?: () => number;
}

/** After one that failed: searches ask for it again and again. */
const restMs = 30_000;
/** A release that lays indexes out anew has all of them made: each needs room for two, and the cluster's processors. */
const largeAtOnce = 2;

/** Indexes that are made anew in the background, of each collection one at a time, and of those that nobody waits for few. */
export class Renewals {
  readonly #parts: RenewalsParts;
  readonly #large = new SerialQueue<number>();
  readonly #underWay = new Map<number, Promise<void>>();
  /** When one failed. */
  readonly #failed = new Map<number, number>();

  constructor(parts: RenewalsParts) {
    this.#parts = parts;
  }

  /** Begins one unless it is under way, or has failed a moment ago. Resolves once it is over, however it ended. */
  begin(collection: CollectionHandle, { isWaitedFor }: { isWaitedFor: boolean }): Promise<void> {
    const { now = () => performance.now() } = this.#parts;
    const { id } = collection;
    const known = this.#underWay.get(id);
    if (known !== undefined) return known;
    if (now() - (this.#failed.get(id) ?? Number.NEGATIVE_INFINITY) < restMs) return Promise.resolve();
    const run = () => this.#run(collection, now);
    const running = isWaitedFor ? run() : this.#large.run(id % largeAtOnce, run);
    const renewal = running.finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, renewal);
    return renewal;
  }

  async #run(collection: CollectionHandle, now: () => number): Promise<void> {
    const { id } = collection;
    const { log, renew } = this.#parts;
    try {
      await renew(collection);
      this.#failed.delete(id);
    } catch (error) {
      this.#failed.set(id, now());
      // Mostly it is being made by another server, for longer than a turn is waited for.
      const level = error instanceof TurnTooLate ? 'debug' : 'warn';
      log[level]('an index in the search cluster could not be made anew', {
        collectionId: id,
        error,
      });
    }
  }
}
