/** How much of what somebody asks is looked at together, and for how long it is known. */
const windowMs = 250;
/** One is refused for so many that are done. */
const donePerRefusal = 8;
/** So many refusals within that time are no few clients', whatever is done. */
const manyRefusals = 100;

/**
 * Whether somebody asks for much more than is done: no burst, and no few clients that wait for their answers, whose refusals are rare beside what
 * they are answered.
 */
export class ExcessShare {
  #since = Number.NEGATIVE_INFINITY;
  #refused = 0;
  #done = 0;
  #isHigh = false;

  /** @param now milliseconds that only grow */
  isHigh(now: number): boolean {
    this.#roll(now);
    return this.#isHigh || this.#refused >= manyRefusals;
  }

  noteRefused(now: number): void {
    this.#roll(now);
    this.#refused += 1;
  }

  noteDone(now: number): void {
    this.#roll(now);
    this.#done += 1;
  }

  #roll(now: number): void {
    const forMs = now - this.#since;
    if (forMs < windowMs) return;
    this.#isHigh = forMs < 2 * windowMs && this.#refused * donePerRefusal > this.#done;
    this.#since = now;
    this.#refused = 0;
    this.#done = 0;
  }
}
