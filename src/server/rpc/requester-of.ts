import type { Requester } from '#server/admission/requester.ts';
import { addressGroup } from '#server/auth/address.ts';
import { callerName } from '#server/auth/known-callers.ts';
import type { Context } from './context.ts';

/** Whom a request counts for before it is known what it is about: a session's workspace is not, so its user stands for it. */
export function requesterOf({ principal, request }: Pick<Context, 'principal' | 'request'>): Requester {
  if (principal === null) {
    const address = `address:${addressGroup(request.address)}`;
    return { tenant: address, caller: address };
  }
  const caller = callerName(principal);
  return { tenant: principal.kind === 'key' ? `workspace:${principal.workspaceId}` : caller, caller };
}
