import { addressGroup, addressNetwork } from '#server/admission/address.ts';
import { accountName, type Requester, tenantOf } from '#server/admission/requester.ts';
import { callerName } from '#server/auth/known/known-callers.ts';
import type { Principal } from '#server/auth/principal.ts';

/**
 * Whom a request counts for before it is known what it is about: a session's counts as what its user owns, a stranger's for the network of
 * its address, since one customer may have many addresses of IPv6.
 */
export function requesterOf(principal: Principal | null, address: string): Requester {
  if (principal === null) {
    return { tenant: `network:${addressNetwork(address)}`, caller: `address:${addressGroup(address)}` };
  }
  const caller = callerName(principal);
  if (principal.kind === 'user') return { tenant: accountName(principal.userId), caller };
  const { tenant, workspace } = tenantOf(principal);
  return { tenant, workspace, caller };
}
