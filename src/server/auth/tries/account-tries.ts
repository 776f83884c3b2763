import { RateLimit } from '#server/admission/rate-limit.ts';
import { rejectionError } from '#server/admission/rejection.ts';
import type { MonotonicClock } from './throttle.ts';
import { TryCounts } from './try-counts.ts';

/** A try of a stranger at an account. */
export interface StrangersTry {
  /** `account …`: of all strangers together. */
  account: string;
  /** Of those of one network: see `addressNetwork`. */
  network: string;
}

/** A minute, of one account: from networks that have not failed at it, and from those that have. */
const firstTriesPerMinute = 6;
const furtherTriesPerMinute = 1;

/**
 * Strangers' tries at one account, from wherever they come: `free` ones, then 7 a minute. Six of them, and `free` at once, are for networks
 * that have not failed at the account, so that its owner in a new browser does not wait for those who guess: they have used up theirs.
 */
export class AccountTries {
  readonly #free: number;
  readonly #clock: MonotonicClock;
  readonly #counts = new TryCounts();
  readonly #first: RateLimit;
  readonly #further: RateLimit;

  constructor(free: number, clock: MonotonicClock) {
    this.#free = free;
    this.#clock = clock;
    const what = 'tries to sign in';
    this.#first = new RateLimit({ perMinute: firstTriesPerMinute, burst: free, what }, clock);
    this.#further = new RateLimit({ perMinute: furtherTriesPerMinute, burst: 1, what }, clock);
  }

  /** @throws AppError TOO_MANY_REQUESTS, and counts nothing */
  check({ account, network }: StrangersTry): void {
    const now = this.#clock();
    if (this.#counts.find(account, now).count < this.#free) return;
    const rejection = this.#rateOf(network, now).findRejection(account);
    if (rejection) throw rejectionError(rejection);
  }

  /** @throws AppError as `check` */
  take(tried: StrangersTry): { giveBack(): void } {
    this.check(tried);
    const now = this.#clock();
    const { account, network } = tried;
    const rate = this.#counts.find(account, now).count < this.#free ? null : this.#rateOf(network, now);
    rate?.take(account);
    const taken = [this.#counts.add(account, now), this.#counts.add(network, now)];
    return {
      giveBack() {
        rate?.giveBack(account);
        for (const one of taken) one.giveBack();
      },
    };
  }

  /** What others have counted under the name of an account or a network. */
  learn(name: string, tried: { count: number; agoMs: number }): void {
    this.#counts.learn(name, tried, this.#clock());
  }

  /** A password was right. */
  clear(network: string): void {
    this.#counts.clear(network, this.#clock());
  }

  #rateOf(network: string, now: number): RateLimit {
    return this.#counts.find(network, now).count === 0 ? this.#first : this.#further;
  }
}
