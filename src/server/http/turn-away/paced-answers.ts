import type { EventEmitter } from 'node:events';

/**
 * Answers to those who are turned away, so that what was let in does not wait for them: they take a tenth of this thread's time at most,
 * and whoever is refused again and again waits for a moment each time, since it would ask anew at once. What waits goes out in its order. A
 * connection has one request under way: so as many wait at most as there are connections.
 */
export class PacedAnswers {
  readonly #now: () => number;
  readonly #waiting = new Set<{ dueAt: number; answer: () => void }>();
  /** Milliseconds that may be spent now; grows with time. */
  #budgetMs = budgetMsMax;
  #budgetAt: number;
  #timer: NodeJS.Timeout | null = null;

  /** @param now milliseconds that only grow */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#budgetAt = now();
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** @param outgoing what is answered: once it closes, nobody waits for the answer */
  send(outgoing: EventEmitter, answer: () => void, { isRepeated }: { isRepeated: boolean }): void {
    if (!isRepeated && this.#waiting.size === 0 && this.#hasBudget()) {
      this.#spend(answer);
      return;
    }
    const waiting = { dueAt: this.#now() + waitMs, answer };
    this.#waiting.add(waiting);
    outgoing.once('close', () => this.#waiting.delete(waiting));
    this.#timer ??= setInterval(() => this.release(), releaseEveryMs).unref();
  }

  /** Sends those that have waited long enough, as many as there is time for. */
  release(): void {
    const now = this.#now();
    for (const each of this.#waiting) {
      if (each.dueAt > now || !this.#hasBudget()) return;
      this.#waiting.delete(each);
      this.#spend(each.answer);
    }
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #hasBudget(): boolean {
    const now = this.#now();
    this.#budgetMs = Math.min(budgetMsMax, this.#budgetMs + (now - this.#budgetAt) * share);
    this.#budgetAt = now;
    return this.#budgetMs > 0;
  }

  #spend(answer: () => void): void {
    const startedAt = this.#now();
    answer();
    this.#budgetMs -= this.#now() - startedAt;
  }
}

const share = 0.1;
const budgetMsMax = 2;
const waitMs = 100;
const releaseEveryMs = 5;
