import type { Auth } from '#server/auth/auth.ts';
import type { Principal } from '#server/auth/principal.ts';
import { AppError } from '#server/errors.ts';
import type { HeaderReader } from './header-reader.ts';

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
export async function authenticate(
  auth: Auth,
  { key, cookieValue, address }: { key: string | null; cookieValue: string | undefined; address: string },
): Promise<Authenticated> {
  if (key !== null) return { principal: await auth.authenticateKey(key, address), renewed: null };
  const session = cookieValue ? await auth.authenticateSession(cookieValue, address) : null;
  return session ?? { principal: null, renewed: null };
}

/** Whether a key is presented, good or bad. */
export function hasKey(headers: HeaderReader): boolean {
  return headers.get('x-api-key') !== null || bearer.test(headers.get('authorization') ?? '');
}

const bearer = /^bearer(?: +(.*))?$/i;

/**
 * Null when no key is presented; an empty or doubled one is a bad key.
 * @throws AppError UNAUTHORIZED for two different keys
 */
export function presentedKey(headers: HeaderReader): string | null {
  const given = bearer.exec(headers.get('authorization') ?? '');
  const own = headers.get('x-api-key');
  if (own !== null && given !== null && own !== given[1]) {
    throw new AppError('UNAUTHORIZED', 'Two different API keys were sent');
  }
  return own ?? (given ? (given[1] ?? '') : null);
}
