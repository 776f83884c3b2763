import type { Settings } from '#server/env.ts';
import { AddressRateLimit } from './address-rate-limit.ts';
import { LeasedRateLimit, type TakeLease } from './leased-rate-limit.ts';
import { RateLimit, type RateLimited, type RateLimitOptions } from './rate-limit.ts';

/** Whose requests are counted together: of one key, of one session, and of one address those of nobody who is known. */
export type Counted = 'key' | 'session' | 'address';

/** Requests a minute of each; null: as many as they like. */
export type RateLimits = Readonly<Record<Counted, RateLimited | null>>;

/** How leases of the budgets of a kind are taken; `model`: of questions to the models of others. */
export type Leasing = (of: Counted | 'model') => TakeLease;

const what: Record<Counted, string> = {
  key: 'requests of this API key',
  session: 'requests of this session',
  address: 'requests from this address',
};

/** @param leasing where servers share the limits */
export function createRateLimits(
  settings: Pick<Settings, 'rateLimitKey' | 'rateLimitSession' | 'rateLimitAddress'>,
  now?: () => number,
  leasing?: Leasing,
): RateLimits {
  const limit = (of: Counted, perMinute: number) => {
    if (perMinute === 0) return null;
    const lease = leasing?.(of);
    const make = (each: RateLimitOptions) =>
      lease ? new LeasedRateLimit(each, lease, now) : new RateLimit(each, now);
    const options = { perMinute, burst: perMinute, what: what[of] };
    return of === 'address' ? new AddressRateLimit(options, make) : make(options);
  };
  return {
    key: limit('key', settings.rateLimitKey),
    session: limit('session', settings.rateLimitSession),
    address: limit('address', settings.rateLimitAddress),
  };
}
