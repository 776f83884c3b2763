import type { EventEmitter } from 'node:events';
import { FairQueue } from '#server/admission/fair-queue.ts';
import { pathOf, type Requester } from '#server/admission/requester.ts';

/** An answer to a caller who is turned away. */
export interface PacedAnswer {
  requester: Requester;
  /** What it took to find out that its caller is turned away. */
  lookMs: number;
  /** For so long it is kept back in any case. */
  waitMs: number;
  /** It is not sent at once. */
  onKeptBack: () => void;
  /** Makes and sends it. */
  send: () => void;
}

interface Waiting extends PacedAnswer {
  /** When it stops being kept back. */
  dueTick: number;
  isOver: boolean;
}

const share = 0.1;
const budgetMsMax = 2;
/** So much is owed at most, whatever looks have taken. */
const debtMsMax = 10;
const tickMs = 5;

/**
 * Answers to those who are turned away, so that what was let in does not wait for them: with the looks at the heads of their requests
 * they take a tenth of this thread's time. Tenants take turns by what they used of it, and so do their callers: many rejections of one hold up
 * nobody else's. Beyond the tenth one goes out in each tick, or looks alone could keep them all back. A connection has one request
 * under way, and `ConnectionPlaces` bounds those on which one waits.
 */
export class PacedAnswers {
  readonly #now: () => number;
  readonly #due = new FairQueue<Waiting>(
    ({ requester }) => ({ path: pathOf(requester), weight: 1 }),
    debtMsMax,
  );
  readonly #keptBack = new Map<number, Set<Waiting>>();
  /** Up to it, while any are kept back, none is any more. */
  #lastTick = 0;
  #waiting = 0;
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
    return this.#waiting;
  }

  /** @param outgoing what is answered: once it closes, nobody waits for the answer */
  send(outgoing: EventEmitter, answer: PacedAnswer): void {
    this.#spend(answer.lookMs);
    if (answer.waitMs === 0 && this.#due.size === 0 && this.#hasBudget()) {
      const startedAt = this.#now();
      answer.send();
      this.#spend(this.#now() - startedAt);
      return;
    }
    const dueTick = Math.ceil((this.#now() + answer.waitMs) / tickMs);
    const waiting: Waiting = { ...answer, dueTick, isOver: false };
    this.#waiting += 1;
    outgoing.once('close', () => this.#forget(waiting));
    if (answer.waitMs === 0) this.#due.add(waiting);
    else this.#keepBack(waiting);
    this.#timer ??= setInterval(() => this.release(), tickMs).unref();
    answer.onKeptBack();
  }

  /** Sends those that are due, by turns, as many as there is time for. */
  release(): void {
    this.#letGo();
    while (this.#sendNext() && this.#hasBudget());
    if (this.#waiting > 0) return;
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #keepBack(waiting: Waiting): void {
    if (this.#keptBack.size === 0) this.#lastTick = Math.floor(this.#now() / tickMs);
    const sameTick = this.#keptBack.get(waiting.dueTick);
    if (sameTick) sameTick.add(waiting);
    else this.#keptBack.set(waiting.dueTick, new Set([waiting]));
  }

  #letGo(): void {
    const tick = Math.floor(this.#now() / tickMs);
    while (this.#lastTick < tick && this.#keptBack.size > 0) {
      this.#lastTick += 1;
      for (const waiting of this.#keptBack.get(this.#lastTick) ?? []) this.#due.add(waiting);
      this.#keptBack.delete(this.#lastTick);
    }
    this.#lastTick = tick;
  }

  /** @returns whether there was one */
  #sendNext(): boolean {
    const startedAt = this.#now();
    const next = this.#due.takeNext();
    if (next === null) return false;
    this.#end(next);
    next.send();
    const tookMs = this.#now() - startedAt;
    this.#due.charge(next, next.lookMs + tookMs);
    this.#spend(tookMs);
    return true;
  }

  /** Its connection is closed. */
  #forget(waiting: Waiting): void {
    if (waiting.isOver) return;
    this.#end(waiting);
    if (this.#due.remove(waiting)) return;
    const sameTick = this.#keptBack.get(waiting.dueTick);
    sameTick?.delete(waiting);
    if (sameTick?.size === 0) this.#keptBack.delete(waiting.dueTick);
  }

  #end(waiting: Waiting): void {
    waiting.isOver = true;
    this.#waiting -= 1;
  }

  #hasBudget(): boolean {
    const now = this.#now();
    this.#budgetMs = Math.min(budgetMsMax, this.#budgetMs + (now - this.#budgetAt) * share);
    this.#budgetAt = now;
    return this.#budgetMs > 0;
  }

  #spend(ms: number): void {
    this.#budgetMs = Math.max(-debtMsMax, this.#budgetMs - ms);
  }
}
