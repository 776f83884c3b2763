import { isUsable, keyName, toKeyPrincipal } from '../keys/key-check.ts';
import type { Principal } from '../principal.ts';
import { hashSessionId } from '../sessions/sessions.ts';
import type { KnownCallers } from './known-callers.ts';

/**
 * Who calls, as far as that is known without asking the record. Null: nobody, or it is not known here. Good for turning somebody away, not
 * for letting anybody in: nothing is counted, renewed or told of here.
 */
export function findKnownPrincipal(
  known: KnownCallers,
  { key, cookieValue }: { key: string | null; cookieValue: string | undefined },
  now: Date,
): Principal | null {
  if (key !== null) {
    const found = known.keys.find(keyName(key));
    return found && isUsable(found, now) ? toKeyPrincipal(found, true) : null;
  }
  if (cookieValue === undefined) return null;
  const sessionId = hashSessionId(cookieValue);
  const session = known.sessions.find(sessionId);
  return session && { kind: 'user', isConfirmed: true, userId: session.userId, sessionId };
}
