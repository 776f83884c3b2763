type Queue = (waiting: (() => void)[], begin: () => void) => void;

/** Runs the tasks of one key one after the other; keys do not wait for each other. A failed task does not stop the next. */
export class SerialQueue<Key> {
  /** Of each key of which a task runs: what lets those that wait begin. */
  readonly #waiting = new Map<Key, (() => void)[]>();
  /** What runs or waits, without its failure. */
  readonly #all = new Set<Promise<unknown>>();

  /** @param until a task that has not begun when this fires is never begun, and is let go of at once: it rejects with the signal's reason */
  run<T>(key: Key, task: () => Promise<T>, until?: AbortSignal): Promise<T> {
    return this.#add(key, task, (waiting, begin) => waiting.push(begin), until);
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

  #add<T>(key: Key, task: () => Promise<T>, queue: Queue, until?: AbortSignal): Promise<T> {
    const result = this.#inTurn(key, task, queue, until);
    const ended: Promise<unknown> = result.catch(() => undefined).then(() => this.#all.delete(ended));
    this.#all.add(ended);
    return result;
  }

  async #inTurn<T>(key: Key, task: () => Promise<T>, queue: Queue, until?: AbortSignal): Promise<T> {
    const waiting = this.#waiting.get(key);
    if (!waiting) this.#waiting.set(key, []);
    // Never at once: who queues a task is not to find it begun.
    await (waiting && turnAmong(waiting, queue, until));
    try {
      until?.throwIfAborted();
      return await task();
    } finally {
      const next = this.#waiting.get(key)?.shift();
      if (next) next();
      else this.#waiting.delete(key);
    }
  }
}

/** @throws the signal's reason; nobody waits any more then */
function turnAmong(waiting: (() => void)[], queue: Queue, until: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = () => {
      until?.removeEventListener('abort', giveUp);
      resolve();
    };
    const giveUp = () => {
      waiting.splice(waiting.indexOf(begin), 1);
      reject(until?.reason);
    };
    queue(waiting, begin);
    until?.addEventListener('abort', giveUp, { once: true });
    if (until?.aborted) giveUp();
  });
}
