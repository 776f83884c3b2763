import { setMaxListeners } from 'node:events';
import type { Context as HonoContext } from 'hono';
import { generateCookie, getCookie } from 'hono/cookie';
import { deviceCookie, pendingLoginCookie, sessionCookie } from '#server/auth/sessions/session-cookie.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Context } from '#server/rpc/context.ts';
import { authenticate } from './authenticate.ts';
import { countRequest } from './count-request.ts';
import type { Environment } from './environment.ts';
import { noteDeniedRequest } from './note-denied-request.ts';
import { assertNotForeign, assertOwnHost, assertOwnOrigin } from './origin/origin.ts';
import { headOf, type Shown } from './request-head.ts';
import { requesterOf } from './turn-away/requester-of.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Finds out who calls and makes the context of the procedures, which are several in a batch.
 * @throws AppError TOO_MANY_REQUESTS, UNAUTHORIZED (a bad key), FORBIDDEN (a cookie, or a sign-in, from a foreign page)
 */
export async function createContext(
  c: HonoContext<Environment>,
  deps: Deps,
  { calls = 1 }: { calls?: number } = {},
): Promise<Context> {
  try {
    return await contextOf(c, deps, calls);
  } catch (error) {
    if (error instanceof AppError) noteDeniedRequest(c, deps, error, actionOf(error));
    throw error;
  }
}

/** What was tried, as the log names it. */
function actionOf({ code }: AppError): string {
  if (code === 'TOO_MANY_REQUESTS') return 'request';
  return code === 'FORBIDDEN' ? 'auth.origin' : 'auth.key';
}

async function contextOf(c: HonoContext<Environment>, deps: Deps, calls: number): Promise<Context> {
  const { headers } = c.req.raw;
  const cookies = c.get('cookies');
  const { isSecure, address, shown } = headOf(c.env?.incoming, headers, deps.settings);
  const cookie = sessionCookie(isSecure);
  const device = deviceCookie(isSecure);
  const pending = pendingLoginCookie(isSecure);
  if (shown?.kind !== 'key') {
    assertOwnHost(headers, deps.settings);
    if (!safeMethods.has(c.req.method)) {
      if (shown === null) assertNotForeign(headers, deps.settings);
      else assertOwnOrigin(headers, deps.settings);
    }
  }
  const credential = isMadeUp(shown, deps) ? null : shown;
  const setSession = (value: string, expires: Date) => {
    cookies.push(generateCookie(cookie.name, value, { ...cookie.attributes, expires }));
  };
  const identify = async () => {
    const { principal, renewed } = await authenticate(deps.auth, credential, address);
    if (renewed) setSession(renewed.cookieValue, renewed.expiresAt);
    c.set('principal', principal);
    return principal;
  };
  const counted = { calls, address, shown: credential, headers: c.get('headers') };
  const principal = await countRequest(deps, counted, identify);
  const requester = requesterOf(principal, address);
  const body = deps.memory.bodies.hold(requester.tenant);
  const answer = deps.memory.answers.hold(requester.tenant);
  c.get('onceAnswered').push(body.release);
  c.get('onceOut').push(answer.release);
  return {
    deps,
    principal,
    requester,
    held: { body, answer },
    identifyAgain: identify,
    log: c.get('log'),
    request: {
      requestId: c.get('requestId'),
      userAgent: headers.get('user-agent'),
      address,
      device: getCookie(c, device.name) ?? null,
      pendingLogin: getCookie(c, pending.name) ?? null,
      signal: hangUpSignal(c),
      calls,
      answerBytesMax: Math.floor(deps.settings.answerBytesMax / calls),
    },
    cookies: {
      setSession,
      setDevice: (value) => {
        cookies.push(generateCookie(device.name, value, device.attributes));
      },
      setPendingLogin: (value, expires) => {
        cookies.push(generateCookie(pending.name, value, { ...pending.attributes, expires }));
      },
      clearPendingLogin: () => {
        cookies.push(generateCookie(pending.name, '', { ...pending.attributes, maxAge: 0 }));
      },
      clearSession: () => {
        // A page that the browser has kept whole, for its Back button, would show what the session showed.
        c.get('headers')['Clear-Site-Data'] = '"cache"';
        cookies.push(generateCookie(cookie.name, '', { ...cookie.attributes, maxAge: 0 }));
      },
    },
  };
}

/** A session's cookie that this server did not make: who shows it is nobody. */
function isMadeUp(shown: Shown | null, { auth, known }: Deps): boolean {
  if (shown?.kind !== 'session') return false;
  return !known.sessions.has(shown.name) && !auth.isOwnSession(shown.value);
}

/**
 * Work that is stopped because the caller hung up fails with a 400, which is not logged as a failure of ours. The socket is listened to
 * itself where there is one: the request's own signal would be a second one to make.
 */
function hangUpSignal(c: HonoContext<Environment>): AbortSignal {
  const controller = new AbortController();
  // A search of many collections has a listener at it for each that is under way.
  setMaxListeners(0, controller.signal);
  const hangUp = (cause: unknown) =>
    controller.abort(new AppError('BAD_REQUEST', 'The caller hung up', { cause }));
  const outgoing = c.env?.outgoing;
  if (outgoing) {
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) hangUp(c.env.incoming?.errored ?? undefined);
    });
    if (outgoing.closed) hangUp(c.env.incoming?.errored ?? undefined);
    return controller.signal;
  }
  const { signal } = c.req.raw;
  if (signal.aborted) hangUp(signal.reason);
  else signal.addEventListener('abort', () => hangUp(signal.reason), { once: true });
  return controller.signal;
}
