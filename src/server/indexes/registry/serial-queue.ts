/** Runs the tasks of one key one after the other; keys do not wait for each other. A failed task does not stop the next. */
export class SerialQueue<Key> {
  /** The last task of each key that has any, without its failure. */
  readonly #last = new Map<Key, Promise<unknown>>();

  run<T>(key: Key, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const turn = async () => {
      await before;
      try {
        return await task();
      } finally {
        if (this.#last.get(key) === last) this.#last.delete(key);
      }
    };
    const result = turn();
    const last = result.catch(() => undefined);
    this.#last.set(key, last);
    return result;
  }

  /** A task runs or waits; no longer true when the last one's promise settles. */
  isBusy(key: Key): boolean {
    return this.#last.has(key);
  }

  /** Resolves once everything that is queued now, and what that queues in turn, is done. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values());
  }
}
