import type { CallName } from './engine-calls.ts';

/** A call that waits for its turn at the engine's thread. */
export interface QueuedCall {
  request: { call: CallName };
}

/** These act in the order in which they were made. Everything else is a read, which may pass them. */
const ordered = new Set<CallName>(['open', 'apply', 'snapshot', 'close']);

/**
 * Calls in the order in which they are sent: reads and the others take turns, each kind first in, first out. So a search waits for one
 * slice of an import, not for all that are queued, and searches without end do not stop an import.
 */
export class CallQueue<Call extends QueuedCall> {
  readonly #reads = new Set<Call>();
  readonly #writes = new Set<Call>();
  #isReadNext = true;

  add(call: Call): void {
    this.#laneOf(call).add(call);
  }

  /** @returns false when it has left already */
  remove(call: Call): boolean {
    return this.#laneOf(call).delete(call);
  }

  /** Null: none waits. */
  takeNext(): Call | null {
    const [first, second] = this.#isReadNext ? [this.#reads, this.#writes] : [this.#writes, this.#reads];
    const lane = first.size > 0 ? first : second;
    for (const call of lane) {
      lane.delete(call);
      this.#isReadNext = lane === this.#writes;
      return call;
    }
    return null;
  }

  takeAll(): Call[] {
    const all = [...this.#writes, ...this.#reads];
    this.#writes.clear();
    this.#reads.clear();
    return all;
  }

  #laneOf({ request }: Call): Set<Call> {
    return ordered.has(request.call) ? this.#writes : this.#reads;
  }
}
