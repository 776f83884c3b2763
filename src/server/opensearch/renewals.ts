import { TurnTooLate } from '#server/db/servers.ts';
import type { CollectionHandle } from '#server/indexes/indexes.ts';
import type { Log } from '#server/log.ts';

interface RenewalsParts {
  log: Log;
  /** Makes an index anew that is searched and written to meanwhile. */
  renew: (collection: CollectionHandle) => Promise<void>;
  /** The server ends: what has not begun never does. */
  ending: AbortSignal;
  now?: () => number;
}

interface Renewing {
  over: Promise<void>;
  /** Absent once it has begun. */
  begin?: (() => void) | undefined;
}

/** After one that failed: searches ask for it again and again. */
const restMs = 30_000;
/** A release that lays indexes out anew has all of them made: each needs room for two, and the cluster's processors. */
const patientAtOnce = 2;

/** Indexes that are made anew in the background, of each collection one at a time, and of those that are not urgent few. */
export class Renewals {
  readonly #parts: RenewalsParts;
  readonly #underWay = new Map<number, Renewing>();
  /** When one failed. */
  readonly #failed = new Map<number, number>();
  #patient = 0;

  constructor(parts: RenewalsParts) {
    this.#parts = parts;
  }

  /**
   * Begins one unless it is under way, or has failed a moment ago. `isUrgent`: somebody waits for it, or the index cannot be searched until then; others wait for their turn.
   * Resolves once it is over, however it ended.
   */
  begin(collection: CollectionHandle, { isUrgent }: { isUrgent: boolean }): Promise<void> {
    const { now = () => performance.now() } = this.#parts;
    const { id } = collection;
    const known = this.#underWay.get(id);
    if (known !== undefined) {
      if (isUrgent) known.begin?.();
      return known.over;
    }
    if (now() - (this.#failed.get(id) ?? Number.NEGATIVE_INFINITY) < restMs) return Promise.resolve();
    const run = () => this.#run(collection, now).finally(() => this.#underWay.delete(id));
    if (isUrgent) {
      const over = run();
      this.#underWay.set(id, { over });
      return over;
    }
    const renewing: Renewing = { over: Promise.resolve() };
    renewing.over = new Promise<void>((resolve) => {
      renewing.begin = () => {
        renewing.begin = undefined;
        this.#patient += 1;
        resolve();
      };
    }).then(async () => {
      await run();
      this.#patient -= 1;
      this.#beginNext();
    });
    this.#underWay.set(id, renewing);
    this.#beginNext();
    return renewing.over;
  }

  #beginNext(): void {
    let places = patientAtOnce - this.#patient;
    for (const { begin } of this.#underWay.values()) {
      if (places <= 0) return;
      if (begin === undefined) continue;
      begin();
      places -= 1;
    }
  }

  async #run(collection: CollectionHandle, now: () => number): Promise<void> {
    const { id } = collection;
    const { log, renew, ending } = this.#parts;
    if (ending.aborted) return;
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
