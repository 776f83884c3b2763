/**
 * Passes names on: the first at once, and what comes within `everyMs` of it as one at its end, so that the last is always told.
 */
export class Paced<Name> {
  readonly #options: { everyMs: number; tell: (name: Name) => void };
  /** Told within the last while, and whether it came again since. */
  readonly #resting = new Map<Name, { again: boolean; timer: NodeJS.Timeout }>();

  constructor(options: { everyMs: number; tell: (name: Name) => void }) {
    this.#options = options;
  }

  note(name: Name): void {
    const resting = this.#resting.get(name);
    if (resting) resting.again = true;
    else this.#tell(name);
  }

  stop(): void {
    for (const { timer } of this.#resting.values()) clearTimeout(timer);
    this.#resting.clear();
  }

  #tell(name: Name): void {
    const timer = setTimeout(() => {
      const isDue = this.#resting.get(name)?.again;
      this.#resting.delete(name);
      if (isDue) this.#tell(name);
    }, this.#options.everyMs);
    timer.unref();
    this.#resting.set(name, { again: false, timer });
    this.#options.tell(name);
  }
}
