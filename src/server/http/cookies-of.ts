import type { Context as HonoContext } from 'hono';
import { generateCookie, getCookie } from 'hono/cookie';
import { deviceCookie, pendingLoginCookie, sessionCookie } from '#server/auth/sessions/session-cookie.ts';
import type { Context } from '#server/rpc/context.ts';
import type { Environment } from './environment.ts';

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
  return {
    device: getCookie(c, device.name) ?? null,
    pendingLogin: getCookie(c, pending.name) ?? null,
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
