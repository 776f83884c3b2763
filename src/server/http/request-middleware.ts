import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { limits } from '#shared/limits.ts';
import type { Environment } from './environment.ts';
import { isHttps, setSecurityHeaders } from './headers.ts';

/** Around every request: an id, a log that carries it, security headers, and a line in the log when it is over. */
export function requestFrame(deps: Pick<Deps, 'log' | 'settings'>): MiddlewareHandler<Environment> {
  return async (c, next) => {
    const requestId = randomUUID();
    const log = deps.log.with({ requestId });
    c.set('requestId', requestId);
    c.set('log', log);
    c.set('cookies', []);
    const since = performance.now();
    await next();
    const { headers } = c.res;
    headers.set('X-Request-Id', requestId);
    for (const cookie of c.var.cookies) headers.append('Set-Cookie', cookie);
    setSecurityHeaders(headers, isHttps(c.req.raw.headers, deps.settings));
    const tookMs = Math.round((performance.now() - since) * 10) / 10;
    log.debug('request', { method: c.req.method, path: c.req.path, status: c.res.status, tookMs });
  };
}

/** What no door accepts. @throws AppError */
export const refuseOddRequests: MiddlewareHandler<Environment> = async (c, next) => {
  const { headers } = c.req.raw;
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding !== 'identity') {
    throw new AppError(
      'BAD_REQUEST',
      `Content-Encoding: ${encoding} is not supported; send the body as it is`,
    );
  }
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
  await next();
};

export function rawQuery(url: string): string {
  const start = url.indexOf('?');
  if (start === -1) return '';
  const end = url.indexOf('#', start);
  return url.slice(start + 1, end === -1 ? undefined : end);
}
