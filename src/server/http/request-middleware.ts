import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { takeOrReject } from '#server/admission/rate-limit.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { rawQuery } from '#server/wire/raw-query.ts';
import { limits } from '#shared/limits.ts';
import { type Environment, headersOf } from './environment.ts';
import { headOf, type RequestHead } from './request-head.ts';
import { requestHeaders } from './security-headers.ts';
import { ratedByHead } from './turn-away/caller-by-head.ts';
import { ratedForHealth } from './turn-away/rate.ts';

type MiddlewareDeps = Pick<Deps, 'log' | 'settings' | 'rates' | 'known' | 'auth' | 'clock'>;

/** Gives every request an id, a log that carries it and the headers of its answer, and counts and logs the request when it is over. */
export function requestMiddleware(deps: MiddlewareDeps): MiddlewareHandler<Environment> {
  return async (c, next) => {
    const requestId = randomUUID();
    const log = deps.log.with({ requestId });
    c.set('requestId', requestId);
    c.set('log', log);
    c.set('cookies', []);
    const onceAnswered: (() => void)[] = [];
    const onceOut: (() => void)[] = [];
    c.set('onceAnswered', onceAnswered);
    c.set('onceOut', onceOut);
    const outgoing = c.env?.outgoing;
    const out = () => {
      for (const each of onceOut.splice(0)) each();
    };
    outgoing?.once('close', out);
    const head = headOf(c.env?.incoming, headersOf(c), deps.settings);
    c.set('headers', requestHeaders(requestId, { isHttps: head.isSecure, isOpen: false }));
    const since = performance.now();
    await next();
    if (!c.get('isCounted')) await countByHead(deps, head, c.req.path);
    for (const each of onceAnswered) each();
    if (!outgoing || outgoing.closed) out();
    const tookMs = Math.round((performance.now() - since) * 10) / 10;
    log.debug('request', { method: c.req.method, path: c.req.path, status: c.res.status, tookMs });
  };
}

/** Pages, files, health, what does not exist and what is refused before it is known who asks: `TurnAway` refuses them beyond the budget. */
async function countByHead(deps: MiddlewareDeps, head: RequestHead, path: string): Promise<void> {
  const forHealth = ratedForHealth(path, head.address);
  const { counted, name } = forHealth ?? ratedByHead(head, deps);
  const limit = deps.rates[counted];
  if (limit === null) return;
  // Whether a server is well is told without the record.
  if (forHealth === null) await takeOrReject(limit, name);
  else if (limit.findRejection(name) === null) limit.take(name);
}

/** Refuses what no handler accepts. @throws AppError BAD_REQUEST */
export const rejectMalformed: MiddlewareHandler<Environment> = (c, next) => {
  const query = rawQuery(c.req.url);
  const parameters = query === '' ? 0 : query.split('&').length;
  if (parameters > limits.queryParametersMax) {
    throw new AppError('BAD_REQUEST', `At most ${limits.queryParametersMax} query parameters`);
  }
  try {
    decodeURIComponent(query);
  } catch {
    throw new AppError('BAD_REQUEST', 'The query string is not valid URL encoding');
  }
  return next();
};
