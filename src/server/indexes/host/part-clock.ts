import type { SearchPart, SearchProgress } from '#server/engine/types.ts';

/** Milliseconds of a call's own turns, by what it was at. */
export type PartTimes = Partial<Record<SearchPart, number>>;

/** Where a search stands, and how long it was at each of its parts. It stands still while others have their turn. */
export class PartClock implements SearchProgress {
  readonly #now: () => number;
  readonly #times: PartTimes = {};
  #part: SearchPart | null = null;
  #since: number;

  constructor(now = () => performance.now()) {
    this.#now = now;
    this.#since = now();
  }

  get part(): SearchPart | null {
    return this.#part;
  }

  set part(part) {
    this.pause();
    this.#part = part;
  }

  pause(): void {
    const now = this.#now();
    if (this.#part !== null) this.#times[this.#part] = (this.#times[this.#part] ?? 0) + now - this.#since;
    this.#since = now;
  }

  goOn(): void {
    this.#since = this.#now();
  }

  /** So far. */
  get times(): PartTimes {
    this.pause();
    return { ...this.#times };
  }
}
