import { accountName, type Requester, tenantOf } from '#server/admission/requester.ts';
import { callerName } from '#server/auth/known/known-callers.ts';
import type { Principal } from '#server/auth/principal.ts';
import { addressGroup } from '#server/auth/tries/address.ts';

/** Whom a request counts for before it is known what it is about: a session's counts as what its user owns. */
export function requesterOf(principal: Principal | null, address: string): Requester {
  if (principal === null) {
    const from = `address:${addressGroup(address)}`;
    return { tenant: from, caller: from };
  }
  const caller = callerName(principal);
  if (principal.kind === 'user') return { tenant: accountName(principal.userId), caller };
  return { ...tenantOf(principal), caller };
}
