import type { Requester } from '#server/admission/requester.ts';
import { callerName } from '#server/auth/known/known-callers.ts';
import type { Principal } from '#server/auth/principal.ts';
import { addressGroup } from '#server/auth/tries/address.ts';

/** Whom a request counts for before it is known what it is about: a session's workspace is not, so its user stands for it. */
export function requesterOf(principal: Principal | null, address: string): Requester {
  if (principal === null) {
    const from = `address:${addressGroup(address)}`;
    return { tenant: from, caller: from };
  }
  const caller = callerName(principal);
  return { tenant: principal.kind === 'key' ? `workspace:${principal.workspaceId}` : caller, caller };
}
