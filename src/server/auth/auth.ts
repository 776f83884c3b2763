import type { Origin } from '#server/audit/audit-entry.ts';
import type { LoginInput, RegisterInput, User } from '#shared/accounts.ts';
import type { KeyPrincipal, UserPrincipal } from './principal.ts';

/** A session as the browser gets it: `cookieValue` is the only place where its raw id stands. */
export interface IssuedSession {
  cookieValue: string;
  expiresAt: Date;
}

/** Accounts, sessions and key checks. `from` is for the throttles, the log and the audit. */
export interface Auth {
  /** @throws AppError CONFLICT (email or username taken), BAD_REQUEST (a common password), FORBIDDEN (sign-up closed), TOO_MANY_REQUESTS */
  register(input: RegisterInput, from: Origin): Promise<{ user: User; session: IssuedSession }>;
  /** @throws AppError UNAUTHORIZED "Invalid email or password" (same work for an unknown email), TOO_MANY_REQUESTS */
  login(input: LoginInput, from: Origin): Promise<{ user: User; session: IssuedSession }>;
  /** Ends the session on the server. `from` is absent where a sign-in takes its place. */
  logout(principal: UserPrincipal, from?: Origin): Promise<void>;
  user(principal: UserPrincipal): Promise<User | null>;
  /** Null: no such session, or expired. `renewed`: the cookie must be sent again with this expiry. */
  authenticateSession(
    cookieValue: string,
  ): Promise<{ principal: UserPrincipal; renewed: IssuedSession | null } | null>;
  /** @throws AppError UNAUTHORIZED for a malformed (no database read), unknown, inactive or expired key */
  authenticateKey(rawKey: string): Promise<KeyPrincipal>;
  /** When keys were last used, as far as the record does not hold it yet. */
  pendingUses(): Map<number, Date>;
  /** Writes what is still in memory (when keys were last used); also called before the record closes. */
  flush(): Promise<void>;
}
