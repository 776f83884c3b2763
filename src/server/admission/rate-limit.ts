import { type Refusal, refusalError } from './refusal.ts';

export interface RateLimitOptions {
  perMinute: number;
  /** So many at once. */
  burst: number;
  /** What there are too many of, in words. */
  what: string;
}

const namesMax = 50_000;

/**
 * So many a minute of each name: the generic cell rate algorithm, one number a name. The clock is one that is never put back. Of more
 * than 50,000 names those that came last longest ago are forgotten.
 */
export class RateLimit {
  readonly #options: RateLimitOptions;
  readonly #now: () => number;
  /** When each name's budget will be whole again, those that came last longest ago first. */
  readonly #wholeAt = new Map<string, number>();

  constructor(options: RateLimitOptions, now: () => number = () => performance.now()) {
    this.#options = options;
    this.#now = now;
  }

  /** @throws AppError TOO_MANY_REQUESTS, when so many cannot be had at once; none is taken then */
  take(name: string, count = 1): void {
    const refusal = this.findRefusal(name, count);
    if (refusal) throw refusalError(refusal);
    const wholeAt = this.#wholeAfter(name, count);
    this.#wholeAt.delete(name);
    this.#wholeAt.set(name, wholeAt);
    const [oldest] = this.#wholeAt.keys();
    if (this.#wholeAt.size > namesMax && oldest !== undefined) this.#wholeAt.delete(oldest);
  }

  /** Why so many cannot be had now; null: they can. */
  findRefusal(name: string, count = 1): Refusal | null {
    const { burst, what } = this.#options;
    const waitMs = this.#wholeAfter(name, count) - burst * this.#each - this.#now();
    if (waitMs <= 0) return null;
    const retryAfterSeconds = Math.ceil(waitMs / 1_000);
    const message = `Too many ${what}; try again in ${retryAfterSeconds} s`;
    return { code: 'TOO_MANY_REQUESTS', message, retryAfterSeconds };
  }

  get #each(): number {
    return 60_000 / this.#options.perMinute;
  }

  /** More than a burst never come at once: they cost all of one. */
  #wholeAfter(name: string, count: number): number {
    const now = this.#now();
    return Math.max(now, this.#wholeAt.get(name) ?? now) + Math.min(count, this.#options.burst) * this.#each;
  }
}
