import type { Auth } from '#server/auth/auth.ts';
import type { Principal } from '#server/auth/principal.ts';
import { AppError } from '#server/errors.ts';

/** Who calls, and whether the session's cookie has to be sent again. */
export interface Identity {
  principal: Principal | null;
  renewed: { cookieValue: string; expiresAt: Date } | null;
}

/**
 * A key that is present wins, good or bad, and the cookie is not looked at: otherwise a page could try keys with a visitor's session
 * as the fallback. Keys are read from headers only, never from the address, which ends up in logs.
 * @throws AppError UNAUTHORIZED for a key that is not good
 */
export async function authenticate(
  auth: Auth,
  headers: Headers,
  cookieValue: string | undefined,
): Promise<Identity> {
  const key = presentedKey(headers);
  if (key !== null) return { principal: await auth.authenticateKey(key), renewed: null };
  const session = cookieValue ? await auth.authenticateSession(cookieValue) : null;
  return session ?? { principal: null, renewed: null };
}

/** Null when no key is presented; an empty or doubled one is a bad key. */
export function presentedKey(headers: Headers): string | null {
  const bearer = /^bearer(?: +(.*))?$/i.exec(headers.get('authorization') ?? '');
  const own = headers.get('x-api-key');
  if (own !== null && bearer !== null && own !== bearer[1]) {
    throw new AppError('UNAUTHORIZED', 'Two different API keys were sent');
  }
  return own ?? (bearer ? (bearer[1] ?? '') : null);
}
