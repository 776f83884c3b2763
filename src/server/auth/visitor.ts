import type { Origin } from '#server/audit/audit-entry.ts';
import type { User } from '#shared/accounts.ts';
import type { UserPrincipal } from './principal.ts';

/** A session as the browser gets it: `cookieValue` is the only place where its raw id stands. */
export interface IssuedSession {
  cookieValue: string;
  expiresAt: Date;
}

/** Who signs in or up. */
export interface Visitor extends Origin {
  /** The device cookie's value: what `Devices` issued, or anything. */
  device?: string | null;
  /** The cookie of somebody whose password was right and whose code is awaited, or anything. */
  pendingLogin?: string | null;
}

export interface SignedIn {
  user: User;
  session: IssuedSession;
  /** The device cookie's new value. */
  device: string;
}

/** A password was right, and a code comes next. `cookieValue` is no session and opens nothing. */
export interface PendingLogin {
  cookieValue: string;
  expiresAt: Date;
}

/** A password was right, and a code is asked for next. */
export interface CodeAwaited {
  pendingLogin: PendingLogin;
}

/** Who asks, from where. */
export interface Asking {
  principal: UserPrincipal;
  from: Origin;
}
