import type { SearchPart } from '#server/engine/types.ts';
import { EngineBusyError, SearchTimeoutError } from './call-errors.ts';
import { isBulk, isOrdered, type QueuedCall } from './call-queue.ts';

/** An export or a deletion by filter reads a collection, not a page: it may take so many times as long. */
const bulkTimes = 10;

/** What the calls of one request have used together, by the signal that says that its caller is there. */
const usedByRequest = new WeakMap<AbortSignal, { ms: number }>();

/** To be added to: by all that one request computes. Without a signal it is a count of its own. */
export function usedBy(signal: AbortSignal | undefined): { ms: number } {
  const known = signal && usedByRequest.get(signal);
  if (known) return known;
  const used = { ms: 0 };
  if (signal) usedByRequest.set(signal, used);
  return used;
}

/** In milliseconds. What of its time was not computed was waited, for a processor. */
interface Turn {
  tookMs: number;
  computedMs: number;
  part: SearchPart | null;
}

/**
 * How long a call may compute and how long it may wait. The searches of one request compute on one budget. Writes have none: they are
 * stored already, and must come to the index whatever they cost.
 */
export class CallBudget {
  readonly #maxMs: number;
  readonly #used: { ms: number };
  readonly #byPart = new Map<SearchPart | null, number>();
  #waitedSince: number;
  #waitedMs = 0;
  /** Exact only as a sum: computing is counted at the system's ticks. */
  #withoutProcessorMs = 0;

  constructor(
    request: QueuedCall['request'],
    { budgetMs, signal, now }: { budgetMs: number; signal: AbortSignal | undefined; now: number },
  ) {
    this.#maxMs = isOrdered(request)
      ? Number.POSITIVE_INFINITY
      : budgetMs * (isBulk(request) ? bulkTimes : 1);
    this.#used = usedBy(isBulk(request) ? undefined : signal);
    this.#waitedSince = now;
  }

  /** When it has waited for as long as it may, from now on, its waits of before counted. A write never has. */
  onWaited(task: () => void): NodeJS.Timeout | undefined {
    if (this.#maxMs === Number.POSITIVE_INFINITY) return undefined;
    return setTimeout(task, Math.max(0, this.#maxMs - this.#allWaitedMs)).unref();
  }

  /** Its turn has come, or has passed without its having begun. @returns why it must not go on */
  begin(now: number): Error | null {
    this.#waitedMs += now - this.#waitedSince;
    this.#waitedSince = now;
    if (this.#allWaitedMs > this.#maxMs) return new EngineBusyError();
    return this.#tooDear();
  }

  /** Its turn is over. @returns why it must not go on */
  end(now: number, { tookMs, computedMs, part }: Turn): Error | null {
    this.#waitedSince = now;
    this.#withoutProcessorMs += tookMs - computedMs;
    this.#used.ms += computedMs;
    this.#byPart.set(part, (this.#byPart.get(part) ?? 0) + computedMs);
    return this.#tooDear();
  }

  get #allWaitedMs(): number {
    return this.#waitedMs + Math.max(0, this.#withoutProcessorMs);
  }

  #tooDear(): Error | null {
    if (this.#used.ms <= this.#maxMs) return null;
    let dearest: SearchPart | null = null;
    let mostMs = 0;
    for (const [part, ms] of this.#byPart) {
      if (ms > mostMs) [dearest, mostMs] = [part, ms];
    }
    return new SearchTimeoutError(dearest, this.#maxMs);
  }
}
