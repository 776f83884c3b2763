import { isUsable, toKeyPrincipal } from '../keys/key-check.ts';
import type { Principal } from '../principal.ts';
import type { KnownCallers } from './known-callers.ts';

/**
 * Who calls, as far as that is known without asking the record. Null: nobody, or it is not known here. Good for turning somebody away, not
 * for letting anybody in: nothing is counted, renewed or told of here.
 * @param shown a key or a session by its hash
 */
export function findKnownPrincipal(
  known: KnownCallers,
  shown: { kind: 'key' | 'session'; name: string },
  now: Date,
): Principal | null {
  const { kind, name } = shown;
  if (kind === 'key') {
    const found = known.keys.find(name);
    return found && isUsable(found, now) ? toKeyPrincipal(found, true) : null;
  }
  const session = known.sessions.find(name);
  return session && { kind: 'user', isConfirmed: true, userId: session.userId, sessionId: name };
}
