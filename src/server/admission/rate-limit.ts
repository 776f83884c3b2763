import { RecentMap } from '#server/memory/recent-map.ts';
import { type Rejection, rejectionError } from './rejection.ts';

export interface RateLimitOptions {
  perMinute: number;
  /** So many at once. */
  burst: number;
  /** What there are too many of, in words. */
  what: string;
}

/** What a name has left. */
export interface Budget {
  remaining: number;
  /** Until there is one more; 0: the budget is whole. */
  moreInSeconds: number;
}

/** So many a minute of each name. */
export interface RateLimited {
  readonly burst: number;
  /** @throws AppError TOO_MANY_REQUESTS, when so many cannot be had at once; none is taken then */
  take(name: string, count?: number): void;
  /** For what came to nothing, or counts under another name. */
  giveBack(name: string, count?: number): void;
  /** Why so many cannot be had now; null: they can. */
  findRejection(name: string, count?: number): Rejection | null;
  budgetOf(name: string): Budget;
  /** What there is no rejection for may be taken: null. Or others are to be asked first; once that settles both are asked again. */
  claim(name: string, count?: number): Promise<void> | null;
}

/** Takes so many, where other servers share the limit once they have been asked. Answers why they cannot be had; null: they were taken. */
export async function takeOrReject(limit: RateLimited, name: string, count = 1): Promise<Rejection | null> {
  for (;;) {
    const rejection = limit.findRejection(name, count);
    if (rejection !== null) return rejection;
    const asked = limit.claim(name, count);
    if (asked === null) break;
    // What it brings may be somebody else's one turn later.
    await asked;
  }
  limit.take(name, count);
  return null;
}

const namesMax = 50_000;

/**
 * So many a minute of each name: the generic cell rate algorithm, one number a name. The clock is one that is never put back. Of more
 * than 50,000 names those that came last longest ago are forgotten.
 */
export class RateLimit implements RateLimited {
  readonly #options: RateLimitOptions;
  readonly #now: () => number;
  /** When each name's budget will be whole again. */
  readonly #wholeAt = new RecentMap<number>({ entriesMax: namesMax });

  constructor(options: RateLimitOptions, now: () => number = () => performance.now()) {
    this.#options = options;
    this.#now = now;
  }

  get burst(): number {
    return this.#options.burst;
  }

  take(name: string, count = 1): void {
    const rejection = this.findRejection(name, count);
    if (rejection) throw rejectionError(rejection);
    this.#wholeAt.set(name, this.#wholeAfter(name, count));
  }

  giveBack(name: string, count = 1): void {
    const wholeAt = this.#wholeAt.peek(name);
    if (wholeAt !== undefined) this.#wholeAt.set(name, wholeAt - this.#costOf(count));
  }

  findRejection(name: string, count = 1): Rejection | null {
    const { burst, what } = this.#options;
    const waitMs = this.#wholeAfter(name, count) - burst * this.#each - this.#now();
    return waitMs <= slackMs ? null : tooMany(what, waitMs);
  }

  claim(): null {
    return null;
  }

  /** So much of a name's budget is known to be used, also by others: it is not whole before this moment of the clock. */
  learn(name: string, wholeAt: number): void {
    if (wholeAt > this.#wholeAfter(name, 0)) this.#wholeAt.set(name, wholeAt);
  }

  budgetOf(name: string): Budget {
    const { burst } = this.#options;
    const owedMs = this.#wholeAfter(name, 0) - this.#now();
    const remaining = Math.max(0, Math.floor(burst - (owedMs - slackMs) / this.#each));
    if (remaining >= burst) return { remaining: burst, moreInSeconds: 0 };
    const nextMs = owedMs - (burst - remaining - 1) * this.#each;
    return { remaining, moreInSeconds: Math.max(1, Math.ceil((nextMs - slackMs) / 1_000)) };
  }

  get #each(): number {
    return 60_000 / this.#options.perMinute;
  }

  /** More than a burst never come at once: they cost all of one. */
  #costOf(count: number): number {
    return Math.min(count, this.#options.burst) * this.#each;
  }

  #wholeAfter(name: string, count: number): number {
    const now = this.#now();
    return Math.max(now, this.#wholeAt.peek(name) ?? now) + this.#costOf(count);
  }
}

/** What sums of fractions may be off by. */
export const slackMs = 1e-3;

export function tooMany(what: string, waitMs: number): Rejection {
  const retryAfterSeconds = Math.ceil(waitMs / 1_000);
  const message = `Too many ${what}; try again in ${retryAfterSeconds} s`;
  return { code: 'TOO_MANY_REQUESTS', message, retryAfterSeconds };
}
