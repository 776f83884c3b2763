import { RateLimit } from '#server/admission/rate-limit.ts';
import { isAccountItself } from '#server/admission/requester.ts';
import { AppError } from '#server/errors.ts';
import type { CollectionHandle } from '../indexes.ts';

const perMinute = 6;
const retryAfterSeconds = 5;

/**
 * Repairs build whole indexes anew and verifications read them, on threads that others use too: one at a time of a collection, and so many a minute
 * of an account. Its members and keys together have as many again, so that none of them uses up its own.
 */
export class MaintenanceLimits {
  readonly #underWay = new Set<number>();
  readonly #rate: RateLimit;
  readonly #done: string;

  /** @param now milliseconds that only grow */
  constructor({ what, done }: { what: string; done: string }, now?: () => number) {
    this.#done = done;
    this.#rate = new RateLimit({ perMinute, burst: perMinute, what }, now);
  }

  /** @throws AppError TOO_MANY_REQUESTS, before anything is done, and what `work` throws */
  async run<T>(collection: Pick<CollectionHandle, 'id' | 'for'>, work: () => Promise<T>): Promise<T> {
    const { id } = collection;
    if (this.#underWay.has(id)) {
      throw new AppError('TOO_MANY_REQUESTS', `This collection is being ${this.#done} already`, {
        retryAfterSeconds,
      });
    }
    const { for: requester } = collection;
    this.#rate.take(isAccountItself(requester) ? requester.caller : requester.tenant);
    this.#underWay.add(id);
    try {
      return await work();
    } finally {
      this.#underWay.delete(id);
    }
  }
}
