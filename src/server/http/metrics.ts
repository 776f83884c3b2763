import { createHash, timingSafeEqual } from 'node:crypto';
import type { Handler, MiddlewareHandler } from 'hono';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Metrics } from '#server/metrics/metrics.ts';
import { findOperation } from '#server/rest/match.ts';
import { openApiPath } from '#server/rest/openapi.ts';
import { procedures } from '#server/rpc/procedures.ts';
import { referencePath } from './console/reference-page.ts';
import type { Environment } from './environment.ts';
import { trpcPath } from './procedures-of.ts';
import { send } from './send.ts';

export const metricsPath = '/metrics';

/** Counts each request once its answer begins. */
export function countAnswers(metrics: Metrics): MiddlewareHandler<Environment> {
  return async (c, next) => {
    const since = performance.now();
    await next();
    metrics.count({
      operation: operationOf(c.req.method, c.req.path),
      status: c.res.status,
      seconds: (performance.now() - since) / 1000,
    });
  };
}

const knownPaths: ReadonlySet<string> = new Set([
  '/health',
  '/ready',
  metricsPath,
  referencePath,
  openApiPath,
]);

/** One of a fixed number of names, whatever is asked for. */
function operationOf(method: string, path: string): string {
  if (knownPaths.has(path)) return path;
  if (path.startsWith('/api/')) return findOperation(method, path)?.id ?? 'unknown';
  if (!path.startsWith(`${trpcPath}/`)) return 'console';
  const name = path.slice(trpcPath.length + 1);
  return isProcedure(name) ? `trpc ${name}` : 'trpc';
}

function isProcedure(name: string): boolean {
  return (procedures as ReadonlyMap<string, unknown>).has(name);
}

/**
 * The figures, for whoever has the token. Without one they are told to nobody: behind a proxy on the same machine every caller comes from
 * loopback, so an address proves nothing.
 */
export function tellMetrics({ metrics, settings }: Pick<Deps, 'metrics' | 'settings'>): Handler<Environment> {
  return async (c) => {
    const { metricsToken } = settings;
    if (metrics === null || metricsToken === null)
      throw new AppError('NOT_FOUND', 'There are no metrics here: METRICS_TOKEN is not set');
    if (!isSame(c.req.header('authorization') ?? '', `Bearer ${metricsToken}`))
      throw new AppError('UNAUTHORIZED', 'Send the METRICS_TOKEN as a bearer token');
    const headers = { 'Content-Type': metrics.contentType };
    return send(c, { status: 200, headers, body: await metrics.text() });
  };
}

/** Hashes are of one length, and comparing them tells nothing of where texts differ. */
function isSame(given: string, expected: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(expected));
}
