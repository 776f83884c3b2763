import { AppError } from '#server/errors.ts';
import { RecentMap } from './recent-map.ts';

/** Throttles for sign-in and sign-up; the clock is given, the memory is bounded by forgetting what was touched longest ago. */

export interface Throttle {
  /**
   * Counts a try before its work is done, so that many at once cannot slip through.
   * The answer takes it back: for tries that turned out to be right.
   * @throws AppError TOO_MANY_REQUESTS with `retryAfterSeconds`
   */
  take(key: string): { giveBack(): void };
}

const entriesMax = 50_000;

function tooMany(waitMs: number, what: string): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  const wait =
    retryAfterSeconds < 120 ? `${retryAfterSeconds} seconds` : `${Math.ceil(waitMs / 60_000)} minutes`;
  return new AppError('TOO_MANY_REQUESTS', `Too many ${what}; try again in ${wait}`, { retryAfterSeconds });
}

/** At most `limit` tries in any `windowMs`: a sliding window of their moments. */
export function createWindowThrottle(
  options: { limit: number; windowMs: number; what: string },
  clock: () => Date,
): Throttle {
  const { limit, windowMs, what } = options;
  const entries = new RecentMap<number[]>({ entriesMax });
  return {
    take(key) {
      const now = clock().getTime();
      const moments = (entries.peek(key) ?? []).filter((moment) => moment > now - windowMs);
      const oldest = moments[0];
      if (moments.length >= limit && oldest !== undefined) throw tooMany(oldest + windowMs - now, what);
      moments.push(now);
      entries.set(key, moments);
      return {
        giveBack() {
          const current = entries.peek(key);
          const place = current?.lastIndexOf(now) ?? -1;
          if (place >= 0) current?.splice(place, 1);
          if (current?.length === 0) entries.delete(key);
        },
      };
    },
  };
}

const backoffMaxSeconds = 900;
/** Quiet for this long, an account starts afresh: far fewer tries than the longest wait would allow meanwhile. */
const forgottenAfterMs = 24 * 60 * 60 * 1000;

/** `free` tries, then a wait of 1, 2, 4 … 900 seconds before each further one; a right one clears the account. */
export function createBackoffThrottle(options: { free: number; what: string }, clock: () => Date): Throttle {
  const { free, what } = options;
  const entries = new RecentMap<{ tries: number; triedAt: number; openAt: number }>({ entriesMax });
  return {
    take(key) {
      const now = clock().getTime();
      const known = entries.peek(key);
      const { tries, openAt } =
        known && now - known.triedAt < forgottenAfterMs ? known : { tries: 0, openAt: 0 };
      if (openAt > now) throw tooMany(openAt - now, what);
      const waitSeconds = tries + 1 < free ? 0 : Math.min(2 ** (tries + 1 - free), backoffMaxSeconds);
      entries.set(key, { tries: tries + 1, triedAt: now, openAt: now + waitSeconds * 1000 });
      return { giveBack: () => void entries.delete(key) };
    },
  };
}
