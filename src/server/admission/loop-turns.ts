import { FairQueue } from './fair-queue.ts';
import { pathOf, type Requester } from './requester.ts';

interface Waiting {
  requester: Requester;
  begin: () => void;
}

/** So many turns that were used alone count later. */
const debtMax = 32;

/**
 * Whose work the main thread goes on with, where there is much of it: large bodies and uploads are worked on piece by piece, of all of them one piece
 * in a turn of the event loop, so that whatever comes over the network is served in between. Tenants take turns, and the callers of a tenant.
 */
export class LoopTurns {
  readonly #waiting = new FairQueue<Waiting>(
    ({ requester }) => ({ path: pathOf(requester), weight: 1 }),
    debtMax,
  );
  #isScheduled = false;

  /** Resolves when it is this one's turn, which lasts until it waits for anything. */
  next(requester: Requester): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.add({ requester, begin: resolve });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.size === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const next = this.#waiting.takeNext();
      if (next) {
        this.#waiting.charge(next, 1);
        next.begin();
      }
      this.#schedule();
    });
  }
}

/** This thread has one event loop. */
export const loopTurns = new LoopTurns();
