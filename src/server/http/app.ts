import { Hono } from 'hono';
import type { Deps } from '#server/deps.ts';
import { unknownPath } from '#server/rest/unknown-path.ts';
import { errorAnswer } from '#server/wire/answer.ts';
import { corsHeaders } from '#server/wire/cors.ts';
import { livePath } from '#shared/live.ts';
import { apiHandler } from './api-handler.ts';
import { consoleHandler } from './console/console-handler.ts';
import { referencePage, referencePath } from './console/reference-page.ts';
import { documentationTexts } from './documentation-texts.ts';
import { type Environment, headersOf, rawPathOf } from './environment.ts';
import { foreignKeyRefusal } from './foreign-key.ts';
import { health, ready } from './health.ts';
import { liveHandler } from './live-handler.ts';
import { countAnswers, metricsPath, tellMetrics } from './metrics.ts';
import { noteDeniedRequest } from './note-denied-request.ts';
import { trpcPath } from './procedures-of.ts';
import { rejectMalformed, requestMiddleware } from './request-middleware.ts';
import { send } from './send.ts';
import type { Readiness } from './stop-serving.ts';
import { toEdgeError } from './to-edge-error.ts';
import { trpcHandler } from './trpc-handler.ts';

/**
 * The whole HTTP surface over the given parts; pure, so that tests call `app.request()` without a port.
 * `clientDir` holds the built console; null serves the APIs alone. `readiness`: absent, it is always ready.
 */
export function createApp(
  deps: Deps,
  options: { clientDir: string | null; readiness?: Readiness },
): Hono<Environment> {
  const app = new Hono<Environment>({
    getPath: (request, context) => rawPathOf(request, context?.env?.incoming),
  });
  app.onError((thrown, c) => {
    const error = toEdgeError(thrown, c.get('log'));
    noteDeniedRequest(c, deps, error, 'request');
    const asked = { method: c.req.method, path: c.req.path, url: c.req.url, headers: headersOf(c) };
    const refusal = foreignKeyRefusal(error, asked, deps.settings.publicUrl);
    // It is nobody's answer, and a page of another site has to be able to read what to send.
    if (refusal) Object.assign(c.get('headers'), corsHeaders);
    return send(c, errorAnswer(refusal ?? error, c.get('requestId')));
  });
  app.notFound((c) => send(c, errorAnswer(unknownPath(c.req.path), c.get('requestId'))));

  if (deps.metrics) app.use(countAnswers(deps.metrics));
  app.use(requestMiddleware(deps), rejectMalformed);
  app.get('/health', health);
  app.get('/ready', ready(deps, options.readiness ?? { isDraining: false }));
  app.get(metricsPath, tellMetrics(deps));
  app.use(documentationTexts(deps));
  app.all(`${trpcPath}/*`, trpcHandler(deps));
  if (options.clientDir !== null) app.all(referencePath, referencePage(options.clientDir));
  app.all(livePath, liveHandler(deps));
  const api = apiHandler(deps);
  app.all('/api', api);
  app.all('/api/*', api);
  if (options.clientDir !== null) app.all('*', consoleHandler(options.clientDir, deps.settings));
  return app;
}
