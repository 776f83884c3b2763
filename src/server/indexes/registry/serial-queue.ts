type Queue = (waiting: (() => void)[], begin: () => void) => void;

/** Runs the tasks of one key one after the other; keys do not wait for each other. A failed task does not stop the next. */
export class SerialQueue<Key> {
  /** Of each key of which a task runs: what lets those that wait begin. */
  readonly #waiting = new Map<Key, (() => void)[]>();
  /** What runs or waits, without its failure. */
  readonly #all = new Set<Promise<unknown>>();

  run<T>(key: Key, task: () => Promise<T>): Promise<T> {
    return this.#add(key, task, (waiting, begin) => waiting.push(begin));
  }

  /** Before all that wait. */
  runNext<T>(key: Key, task: () => Promise<T>): Promise<T> {
    return this.#add(key, task, (waiting, begin) => waiting.unshift(begin));
  }

  /** A task runs or waits; no longer true when the last one's promise settles. */
  isBusy(key: Key): boolean {
    return this.#waiting.has(key);
  }

  /** Resolves once everything that is queued now, and what that queues in turn, is done. */
  async idle(): Promise<void> {
    while (this.#all.size > 0) await Promise.all(this.#all);
  }

  #add<T>(key: Key, task: () => Promise<T>, queue: Queue): Promise<T> {
    const result = this.#inTurn(key, task, queue);
    const ended: Promise<unknown> = result.catch(() => undefined).then(() => this.#all.delete(ended));
    this.#all.add(ended);
    return result;
  }

  async #inTurn<T>(key: Key, task: () => Promise<T>, queue: Queue): Promise<T> {
    const waiting = this.#waiting.get(key);
    if (!waiting) this.#waiting.set(key, []);
    // Never at once: who queues a task is not to find it begun.
    await (waiting && new Promise<void>((begin) => queue(waiting, begin)));
    try {
      return await task();
    } finally {
      const next = this.#waiting.get(key)?.shift();
      if (next) next();
      else this.#waiting.delete(key);
    }
  }
}
