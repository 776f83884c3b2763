import { addressGroup } from '#server/admission/address.ts';
import type { Counted, RateLimits } from '#server/admission/rate-limits.ts';
import type { Rejection } from '#server/admission/rejection.ts';
import type { Principal } from '#server/auth/principal.ts';

/** A budget of requests. */
export interface Rated {
  counted: Counted;
  name: string;
}

/** Whose budget a request counts against: a key's, a session's or, for nobody, the address'. */
export function ratedAs(principal: Principal | null, address: string): Rated {
  if (principal === null) return { counted: 'address', name: addressGroup(address) };
  return principal.kind === 'key'
    ? { counted: 'key', name: String(principal.keyId) }
    : { counted: 'session', name: principal.sessionId };
}

const healthPaths: ReadonlySet<string> = new Set(['/health', '/ready']);

/** Health is asked for out of a budget of its own, so that no flood from the same address makes a server look dead. Null: it is not asked for. */
export function ratedForHealth(path: string, address: string): Rated | null {
  return healthPaths.has(path) ? { counted: 'address', name: `${addressGroup(address)} for health` } : null;
}

/** As draft-ietf-httpapi-ratelimit-headers-10 writes it: the policy, what is left of it, and when there is more. Nothing without a limit. */
export function rateHeaders(
  rates: RateLimits,
  { counted, name }: Rated,
  rejection: Rejection | null,
): Record<string, string> {
  const limit = rates[counted];
  if (limit === null) return {};
  const { remaining, moreInSeconds } = limit.budgetOf(name);
  return {
    'RateLimit-Policy': `"${counted}";q=${limit.burst};w=60`,
    RateLimit: `"${counted}";r=${remaining};t=${rejection?.retryAfterSeconds ?? moreInSeconds}`,
  };
}
