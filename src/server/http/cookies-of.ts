import type { Context as HonoContext } from 'hono';
import { generateCookie, getCookie } from 'hono/cookie';
import { deviceCookie, pendingLoginCookie, sessionCookie } from '#server/auth/sessions/session-cookie.ts';
import type { Context } from '#server/rpc/context.ts';
import { type Environment, headersOf } from './environment.ts';

interface Cookies {
  /** What came, beside the session's. */
  device: string | null;
  pendingLogin: string | null;
  /** What the answer sets. */
  answered: Context['cookies'];
}

export function cookiesOf(c: HonoContext<Environment>, isSecure: boolean): Cookies {
  const session = sessionCookie(isSecure);
  const device = deviceCookie(isSecure);
  const pending = pendingLoginCookie(isSecure);
  const set = (...cookie: Parameters<typeof generateCookie>) => {
    c.get('cookies').push(generateCookie(...cookie));
  };
  // Who calls with a key sends none, and the request's own headers need not be made for it.
  const cameWithCookies = headersOf(c).get('cookie') !== null;
  const find = (name: string) => (cameWithCookies ? (getCookie(c, name) ?? null) : null);
  return {
    device: find(device.name),
    pendingLogin: find(pending.name),
    answered: {
      setSession: (value, expires) => set(session.name, value, { ...session.attributes, expires }),
      setDevice: (value) => set(device.name, value, device.attributes),
      setPendingLogin: (value, expires) => set(pending.name, value, { ...pending.attributes, expires }),
      clearPendingLogin: () => set(pending.name, '', { ...pending.attributes, maxAge: 0 }),
      clearSession: () => {
        // A page that the browser has kept whole, for its Back button, would show what the session showed.
        c.get('headers')['Clear-Site-Data'] = '"cache"';
        set(session.name, '', { ...session.attributes, maxAge: 0 });
      },
    },
  };
}
