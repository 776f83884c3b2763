import { createCallQueue, type QueuedCall } from './call-queue.ts';

/** A call that has paused, and what was asked of its collection since: it must have ended before. */
interface Unfinished<Call> {
  head: Call;
  waiting: Call[];
}

/**
 * Whose turn is next at one engine thread. A call that has not ended when its slice is over waits for its next turn like any other, so
 * that tenants share the thread slice by slice. Of one collection only one call is under way then: the others come behind it, in the
 * order in which they had their turns.
 */
export class CallTurns<Call extends QueuedCall> {
  readonly #queue = createCallQueue<Call>();
  readonly #onHeld: (call: Call) => void;
  readonly #unfinished = new Map<number, Unfinished<Call>>();

  /** @param onHeld hears of a call whose turn had come, and that waits for another one of its collection to end */
  constructor(onHeld: (call: Call) => void) {
    this.#onHeld = onHeld;
  }

  /** Some call has begun and is waiting for its next turn. */
  get hasUnfinished(): boolean {
    return this.#unfinished.size > 0;
  }

  /** Calls that have not begun, or have paused. */
  get waiting(): number {
    const behind = [...this.#unfinished.values()].reduce((sum, { waiting }) => sum + waiting.length, 0);
    return this.#queue.size + behind;
  }

  add(call: Call): void {
    this.#queue.add(call);
  }

  /** Null: none waits. */
  takeNext(): Call | null {
    for (;;) {
      const call = this.#queue.takeNext();
      if (call === null) return null;
      const unfinished = this.#unfinished.get(call.collection.id);
      if (!unfinished || unfinished.head === call) return call;
      unfinished.waiting.push(call);
      this.#onHeld(call);
    }
  }

  /** Whether its turn would be before that of one that is at work. */
  comesBefore(call: Call, atWork: Call): boolean {
    return this.#queue.comesBefore(call, atWork);
  }

  /** What a turn has cost. */
  charge(call: Call, tookMs: number): void {
    this.#queue.charge(call, tookMs);
  }

  /** Its slice is over, and it wants another one. */
  pause(call: Call): void {
    const { id } = call.collection;
    if (!this.#unfinished.has(id)) this.#unfinished.set(id, { head: call, waiting: [] });
    this.#queue.add(call);
  }

  /** It reached the thread behind a call that has paused. */
  hold(call: Call): void {
    const unfinished = this.#unfinished.get(call.collection.id);
    if (unfinished) unfinished.waiting.push(call);
    else this.#queue.add(call);
  }

  /** It is over, or is given up wherever it waits. */
  end(call: Call): void {
    const { id } = call.collection;
    this.#queue.remove(call);
    const unfinished = this.#unfinished.get(id);
    if (!unfinished) return;
    if (unfinished.head !== call) {
      unfinished.waiting = unfinished.waiting.filter((each) => each !== call);
      return;
    }
    const next = unfinished.waiting.shift();
    if (next === undefined) {
      this.#unfinished.delete(id);
      return;
    }
    unfinished.head = next;
    this.#queue.add(next);
  }

  takeAll(): Call[] {
    const waiting = Array.from(this.#unfinished.values(), (unfinished) => unfinished.waiting).flat();
    this.#unfinished.clear();
    return [...this.#queue.takeAll(), ...waiting];
  }
}
