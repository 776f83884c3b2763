import { takeOrReject } from '#server/admission/rate-limit.ts';
import type { RateLimits } from '#server/admission/rate-limits.ts';
import { rejectionError } from '#server/admission/rejection.ts';
import type { KnownCallers } from '#server/auth/known/known-callers.ts';
import type { Principal } from '#server/auth/principal.ts';
import { AppError } from '#server/errors.ts';
import type { Shown } from './request-head.ts';
import { type Rated, ratedAs, rateHeaders } from './turn-away/rate.ts';

interface CountedRequest {
  /** A batch counts as many as it has calls. */
  calls: number;
  address: string;
  shown: Shown | null;
  /** Of the answer; it is told what is left. */
  headers: Record<string, string>;
  /** Is told that it counts, or counts as too much. */
  onCounted: () => void;
}

type Parts = { rates: RateLimits; known: Pick<KnownCallers, 'sessions'> };

/**
 * Counts a request against what its caller may send a minute, once `identify` has told who that is. The address counts for whoever turns
 * out to be nobody. Who is not known here without a statement has to pay for it beforehand: a stranger as anybody at the address, a
 * session out of a budget of its own, so that strangers do not keep out who has signed in. Unknown keys have a throttle of their own.
 * @throws AppError TOO_MANY_REQUESTS, and as `identify`
 */
export async function countRequest(
  { rates, known }: Parts,
  request: CountedRequest,
  identify: () => Promise<Principal | null>,
): Promise<Principal | null> {
  const { shown, address, calls } = request;
  if (shown?.kind === 'key') {
    const principal = await identify().catch(async (error: unknown) => {
      const isRefused = error instanceof AppError && error.code === 'UNAUTHORIZED';
      if (isRefused) await take(rates, ratedAs(null, address), request);
      throw error;
    });
    await take(rates, ratedAs(principal, address), request);
    return principal;
  }
  const stranger = ratedAs(null, address);
  if (shown === null) {
    await take(rates, stranger, request);
    return await identify();
  }
  const isKnown = known.sessions.has(shown.name);
  const paid = isKnown ? null : { ...stranger, name: `${stranger.name} for a session` };
  if (paid) await take(rates, paid, request);
  const principal = await identify();
  if (principal !== null && paid) rates.address?.giveBack(paid.name, calls);
  if (principal !== null || !paid) await take(rates, ratedAs(principal, address), request);
  return principal;
}

/** @throws AppError TOO_MANY_REQUESTS */
async function take(rates: RateLimits, rated: Rated, request: CountedRequest): Promise<void> {
  const { calls, headers, onCounted } = request;
  onCounted();
  const limit = rates[rated.counted];
  const rejection = limit && (await takeOrReject(limit, rated.name, calls));
  Object.assign(headers, rateHeaders(rates, rated, rejection));
  if (rejection) throw rejectionError(rejection);
}
