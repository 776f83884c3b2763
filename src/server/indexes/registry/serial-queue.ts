/** Runs the tasks of one key one after the other; keys do not wait for each other. A failed task does not stop the next. */
export class SerialQueue<Key> {
  readonly #tails = new Map<Key, Promise<void>>();

  run<T>(key: Key, task: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = before.then(task);
    const tail: Promise<void> = result.catch(() => undefined).then(() => this.#leave(key, tail));
    this.#tails.set(key, tail);
    return result;
  }

  isBusy(key: Key): boolean {
    return this.#tails.has(key);
  }

  /** Resolves once everything that is queued now, and what that queues in turn, is done. */
  async idle(): Promise<void> {
    while (this.#tails.size > 0) await Promise.all(this.#tails.values());
  }

  #leave(key: Key, tail: Promise<void>): void {
    if (this.#tails.get(key) === tail) this.#tails.delete(key);
  }
}
