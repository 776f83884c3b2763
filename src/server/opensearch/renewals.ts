import type { CollectionHandle } from '#server/indexes/indexes.ts';
import type { Log } from '#server/log.ts';

interface RenewalsParts {
  log: Log;
  /** Makes an index anew that is searched and written to meanwhile. */
  renew: (collection: CollectionHandle) => Promise<void>;
  now?: () => number;
}

/** After one that failed: searches ask for it again and again. */
const restMs = 30_000;

/** Indexes that are made anew in the background, of each collection one at a time. */
export class Renewals {
  readonly #parts: RenewalsParts;
  readonly #underWay = new Map<number, Promise<void>>();
  /** When one failed. */
  readonly #failed = new Map<number, number>();

  constructor(parts: RenewalsParts) {
    this.#parts = parts;
  }

  /** Begins one unless it is under way, or has failed a moment ago. Resolves once it is over, however it ended. */
  begin(collection: CollectionHandle): Promise<void> {
    const { now = () => performance.now() } = this.#parts;
    const { id } = collection;
    const known = this.#underWay.get(id);
    if (known !== undefined) return known;
    if (now() - (this.#failed.get(id) ?? Number.NEGATIVE_INFINITY) < restMs) return Promise.resolve();
    const renewal = this.#run(collection, now).finally(() => this.#underWay.delete(id));
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
      log.warn('an index in the search cluster could not be made anew; the one before is searched', {
        collectionId: id,
        error,
      });
    }
  }
}
