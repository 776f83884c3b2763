import { limits } from '#shared/limits.ts';

/** How many requests of one workspace are kept: a burst, and then so many a second. What is more is counted. */
export class KeptRate {
  #left: number = limits.requestsKeptAtOnce;
  #at: number;
  #leftOut = 0;

  /** @param now milliseconds that only grow */
  constructor(now: number) {
    this.#at = now;
  }

  /** Since one was kept. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** False: this one is left out. */
  take(now: number): boolean {
    const gained = ((now - this.#at) / 1_000) * limits.requestsKeptPerSecond;
    this.#left = Math.min(limits.requestsKeptAtOnce, this.#left + gained);
    this.#at = now;
    if (this.#left < 1) {
      this.leaveOut();
      return false;
    }
    this.#left -= 1;
    return true;
  }

  kept(): void {
    this.#leftOut = 0;
  }

  leaveOut(): void {
    this.#leftOut += 1;
  }
}
