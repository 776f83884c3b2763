import { AppError } from '#server/errors.ts';

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

  /** @throws AppError TOO_MANY_REQUESTS */
  take(name: string): void {
    const { perMinute, burst, what } = this.#options;
    const now = this.#now();
    const each = 60_000 / perMinute;
    const wholeAt = Math.max(now, this.#wholeAt.get(name) ?? now) + each;
    const waitMs = wholeAt - burst * each - now;
    if (waitMs > 0) {
      const retryAfterSeconds = Math.ceil(waitMs / 1_000);
      throw new AppError('TOO_MANY_REQUESTS', `Too many ${what}; try again in ${retryAfterSeconds} s`, {
        retryAfterSeconds,
      });
    }
    this.#wholeAt.delete(name);
    this.#wholeAt.set(name, wholeAt);
    const [oldest] = this.#wholeAt.keys();
    if (this.#wholeAt.size > namesMax && oldest !== undefined) this.#wholeAt.delete(oldest);
  }
}
