import type { Settings } from '#server/env.ts';
import { AddressRateLimit } from './address-rate-limit.ts';
import { RateLimit, type RateLimited } from './rate-limit.ts';

/** Whose requests are counted together: of one key, of one session, and of one address those of nobody who is known. */
export type Counted = 'key' | 'session' | 'address';

/** Requests a minute of each; null: as many as they like. */
export type RateLimits = Readonly<Record<Counted, RateLimited | null>>;

const what: Record<Counted, string> = {
  key: 'requests of this API key',
  session: 'requests of this session',
  address: 'requests from this address',
};

export function createRateLimits(
  settings: Pick<Settings, 'rateLimitKey' | 'rateLimitSession' | 'rateLimitAddress'>,
  now?: () => number,
): RateLimits {
  const limit = (of: Counted, perMinute: number) => {
    if (perMinute === 0) return null;
    const Limit = of === 'address' ? AddressRateLimit : RateLimit;
    return new Limit({ perMinute, burst: perMinute, what: what[of] }, now);
  };
  return {
    key: limit('key', settings.rateLimitKey),
    session: limit('session', settings.rateLimitSession),
    address: limit('address', settings.rateLimitAddress),
  };
}
