import { groupsPerNetwork, networkOfGroup } from '#server/admission/address.ts';
import { type Rejection, rejectionError } from '#server/admission/rejection.ts';
import { RecentMap } from '#server/memory/recent-map.ts';
import { TryCounts } from './try-counts.ts';

/** Throttles for signing in and up and for keys. Time is a clock's that is never put back or forward: milliseconds since some moment. */
export type MonotonicClock = () => number;

export interface Throttle {
  /**
   * Counts a try before its work is done, so that many at once cannot slip through.
   * The answer takes it back: for tries that turned out to be right, or that came to nothing.
   * @throws AppError TOO_MANY_REQUESTS with `retryAfterSeconds`
   */
  take(key: string): { giveBack(): void };
}

export interface WindowThrottle extends Throttle {
  /** Why a try would be refused now; null: it would not be. */
  findRejection(key: string): Rejection | null;
}

const entriesMax = 50_000;

function tooMany(waitMs: number, what: string): Rejection {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  const wait =
    retryAfterSeconds < 120 ? `${retryAfterSeconds} seconds` : `${Math.ceil(waitMs / 60_000)} minutes`;
  return { code: 'TOO_MANY_REQUESTS', message: `Too many ${what}; try again in ${wait}`, retryAfterSeconds };
}

/**
 * At most `limit` tries in any `windowMs`: a sliding window of their moments. What was touched longest ago is forgotten for want of room;
 * who makes room by trying under 50,000 other keys has had their tries already.
 */
export function createWindowThrottle(
  options: { limit: number; windowMs: number; what: string },
  clock: MonotonicClock,
): WindowThrottle {
  const { limit, windowMs, what } = options;
  const entries = new RecentMap<number[]>({ entriesMax });
  const momentsOf = (key: string, now: number) =>
    (entries.peek(key) ?? []).filter((moment) => moment > now - windowMs);
  const findRejection = (moments: number[], now: number) => {
    const [oldest] = moments;
    return moments.length < limit || oldest === undefined ? null : tooMany(oldest + windowMs - now, what);
  };
  return {
    findRejection(key) {
      const now = clock();
      return findRejection(momentsOf(key, now), now);
    },
    take(key) {
      const now = clock();
      const moments = momentsOf(key, now);
      const rejection = findRejection(moments, now);
      if (rejection) throw rejectionError(rejection);
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

/** The same by address group: who has many of them in one network has no more tries together than a few. */
export function createAddressThrottle(
  { limit, windowMs, what }: { limit: number; windowMs: number; what: string },
  clock: MonotonicClock,
): WindowThrottle {
  const groups = createWindowThrottle({ limit, windowMs, what: `${what} from this address` }, clock);
  const ofNetwork = { limit: limit * groupsPerNetwork, windowMs, what: `${what} from this network` };
  const networks = createWindowThrottle(ofNetwork, clock);
  const findRejection = (group: string) => {
    const network = networkOfGroup(group);
    return groups.findRejection(group) ?? (network === null ? null : networks.findRejection(network));
  };
  return {
    findRejection,
    take(group) {
      const rejection = findRejection(group);
      if (rejection) throw rejectionError(rejection);
      const network = networkOfGroup(group);
      const taken = [groups.take(group), ...(network === null ? [] : [networks.take(network)])];
      return {
        giveBack() {
          for (const one of taken) one.giveBack();
        },
      };
    },
  };
}

export interface Backoff extends Throttle {
  /** @throws AppError as `take`, and counts nothing */
  check(key: string): void;
  /** Tries that were not taken back, and not cleared. */
  countOf(key: string): number;
  /** See `TryCounts`. */
  learn(key: string, tried: { count: number; agoMs: number }): void;
  /** Forgets the tries of a key: for one that turned out to be right. */
  clear(key: string): void;
}

/** `free` tries, then a wait of 1, 2, 4 … `waitSecondsMax` before each further one. */
export function createBackoff(
  options: { free: number; waitSecondsMax: number; what: string },
  clock: MonotonicClock,
): Backoff {
  const { free, waitSecondsMax, what } = options;
  const tries = new TryCounts();
  const waitMsAfter = (count: number) =>
    count < free ? 0 : 1000 * Math.min(2 ** (count - free), waitSecondsMax);
  const check = (key: string, now: number) => {
    const { count, triedAt } = tries.find(key, now);
    const waitMs = triedAt + waitMsAfter(count) - now;
    if (waitMs > 0) throw rejectionError(tooMany(waitMs, what));
  };
  return {
    check: (key) => check(key, clock()),
    take(key) {
      const now = clock();
      check(key, now);
      return tries.add(key, now);
    },
    countOf: (key) => tries.find(key, clock()).count,
    learn: (key, tried) => tries.learn(key, tried, clock()),
    clear: (key) => tries.clear(key, clock()),
  };
}
