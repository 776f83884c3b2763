import type { Auth } from '#server/auth/auth.ts';
import type { Principal } from '#server/auth/principal.ts';
import type { Shown } from './request-head.ts';

/** Who calls, and whether the session's cookie has to be sent again. */
export interface Authenticated {
  principal: Principal | null;
  renewed: { cookieValue: string; expiresAt: Date } | null;
}

/**
 * A key that is present wins, good or bad, and the cookie is not looked at: otherwise a page could try keys with a visitor's session
 * as the fallback. Keys are read from headers only, never from the address, which ends up in logs.
 * @throws AppError UNAUTHORIZED for a key that is not good, TOO_MANY_REQUESTS after many of them
 */
export async function authenticate(auth: Auth, shown: Shown | null, address: string): Promise<Authenticated> {
  const nobody = { principal: null, renewed: null };
  if (shown === null) return nobody;
  const { kind, value, name } = shown;
  if (kind === 'session') return (await auth.authenticateSession(value, address, name)) ?? nobody;
  return { principal: await auth.authenticateKey(value, address, name), renewed: null };
}
