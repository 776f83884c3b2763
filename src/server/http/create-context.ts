import type { Context as HonoContext } from 'hono';
import { strangersName } from '#server/admission/requester.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Context } from '#server/rpc/context.ts';
import { authenticate } from './authenticate.ts';
import { cookiesOf } from './cookies-of.ts';
import { countRequest } from './count-request.ts';
import { type Environment, headersOf } from './environment.ts';
import { hangUpSignal } from './hang-up-signal.ts';
import { noteDeniedRequest } from './note-denied-request.ts';
import { assertNotForeign, assertOwnHost, assertOwnOrigin } from './origin/origin.ts';
import { headOf, type Shown } from './request-head.ts';
import { isMadeUp } from './turn-away/caller-by-head.ts';
import { requesterOf } from './turn-away/requester-of.ts';
import { strangerName } from './turn-away/stranger-name.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

interface GivenRequest {
  way: Context['request']['way'];
  /** Absent: one. */
  calls?: number;
}

/**
 * Finds out who calls and makes the context of the procedures, which are several in a batch.
 * @throws AppError TOO_MANY_REQUESTS, UNAUTHORIZED (a bad key), FORBIDDEN (a cookie, or a sign-in, from a foreign page)
 */
export async function createContext(
  c: HonoContext<Environment>,
  deps: Deps,
  given: GivenRequest,
): Promise<Context> {
  try {
    return await contextOf(c, deps, given);
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

async function contextOf(
  c: HonoContext<Environment>,
  deps: Deps,
  { way, calls = 1 }: GivenRequest,
): Promise<Context> {
  const headers = headersOf(c);
  const head = headOf(c.env?.incoming, headers, deps.settings);
  const { isSecure, address, shown } = head;
  const cookies = cookiesOf(c, isSecure);
  if (shown?.kind !== 'key') {
    assertOwnHost(headers, deps.settings);
    if (!safeMethods.has(c.req.method)) {
      if (shown === null) assertNotForeign(headers, deps.settings);
      else assertOwnOrigin(headers, deps.settings);
    }
  }
  const credential = isMadeUp(head, deps) ? null : shown;
  const identify = async () => {
    const { principal, renewed } = await authenticate(deps.auth, credential, address);
    if (renewed) cookies.answered.setSession(renewed.cookieValue, renewed.expiresAt);
    c.set('principal', principal);
    return principal;
  };
  const from = isKnown(credential, deps) ? address : strangerName(head, deps.auth);
  const onCounted = () => c.set('isCounted', true);
  const counted = { calls, address: from, shown: credential, headers: c.get('headers'), onCounted };
  const principal = await countRequest(deps, counted, identify);
  const requester = requesterOf(principal, from);
  const body = deps.memory.bodies.hold(requester.tenant);
  const answer = deps.memory.answers.hold(requester.tenant);
  const spool = deps.memory.spools.hold(requester.tenant);
  c.get('onceAnswered').push(body.release);
  c.get('onceOut').push(answer.release, spool.release);
  const name = principal === null ? strangersName : requester.tenant;
  return {
    deps: { ...deps, record: deps.record.as(name) },
    principal,
    requester,
    held: { body, answer, spool },
    identifyAgain: identify,
    log: c.get('log'),
    request: {
      requestId: c.get('requestId'),
      userAgent: headers.get('user-agent'),
      address,
      device: cookies.device,
      pendingLogin: cookies.pendingLogin,
      signal: hangUpSignal(c),
      way,
      calls,
      answerBytesMax: Math.floor(deps.settings.answerBytesMax / calls),
    },
    cookies: cookies.answered,
  };
}

/** Keys are counted by themselves, or by the address. */
function isKnown(shown: Shown | null, { known }: Deps): boolean {
  return shown !== null && (shown.kind === 'key' || known.sessions.has(shown.name));
}
