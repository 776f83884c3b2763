import { isWellFormedApiKey } from '#server/auth/keys/key-format.ts';
import { findKnownPrincipal } from '#server/auth/known/known-principal.ts';
import type { Principal } from '#server/auth/principal.ts';
import type { Deps } from '#server/deps.ts';
import type { RequestHead } from '../request-head.ts';
import { type Rated, ratedAs } from './rate.ts';
import { strangerName } from './stranger-name.ts';

/** Who calls, as far as a head tells it without asking the record. */
export interface CallerByHead {
  principal: Principal | null;
  /** It shows nothing that anybody could be known by. */
  isNobody: boolean;
}

export function callerByHead(
  head: RequestHead,
  { known, clock, auth }: Pick<Deps, 'known' | 'clock' | 'auth'>,
): CallerByHead {
  const shown = head.hasTwoKeys ? null : head.shown;
  if (shown === null) return { principal: null, isNobody: true };
  const principal = findKnownPrincipal(known, shown, clock());
  if (principal !== null) return { principal, isNobody: false };
  const isNobody = shown.kind === 'key' ? !isWellFormedApiKey(shown.value) : isMadeUp(head, { known, auth });
  return { principal, isNobody };
}

/** The cookie of a session that this server did not make: who shows it is nobody. */
export function isMadeUp(head: RequestHead, { known, auth }: Pick<Deps, 'known' | 'auth'>): boolean {
  const { shown } = head;
  return shown?.kind === 'session' && !known.sessions.has(shown.name) && !head.isOwnSession(auth);
}

/** The budget of whoever a head tells of: of a key or session that is known here, else of the address, or of the account whose device it is. */
export function ratedByHead(
  head: RequestHead,
  deps: Pick<Deps, 'known' | 'clock' | 'auth'>,
  principal = callerByHead(head, deps).principal,
): Rated {
  return ratedAs(principal, principal ? head.address : strangerName(head, deps.auth));
}
