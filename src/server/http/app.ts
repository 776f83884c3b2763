import { Hono } from 'hono';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { apiDoor } from './api-handler.ts';
import { consoleDoor } from './console-handler.ts';
import { type Environment, rawPathOf } from './environment.ts';
import { health, ready } from './health.ts';
import { errorResponse, toEdgeError } from './on-error.ts';
import { refuseOddRequests, requestFrame } from './request-middleware.ts';
import { trpcDoor, trpcPath } from './trpc-handler.ts';

/**
 * The whole HTTP surface over the given parts; pure, so that tests call `app.request()` without a port.
 * `clientDir` holds the built console; null serves the APIs alone.
 */
export function createApp(deps: Deps, options: { clientDir: string | null }): Hono<Environment> {
  const app = new Hono<Environment>({
    getPath: (request, context) => rawPathOf(request, context?.env?.incoming),
  });
  app.onError((error, c) => errorResponse(toEdgeError(error, c.var.log), c.var.requestId));
  app.notFound((c) => errorResponse(new AppError('NOT_FOUND', 'There is no such path'), c.var.requestId));

  app.use(requestFrame(deps), refuseOddRequests);
  app.get('/health', health);
  app.get('/ready', ready(deps));
  app.all(`${trpcPath}/*`, trpcDoor(deps));
  app.all('/api', apiDoor(deps));
  app.all('/api/*', apiDoor(deps));
  if (options.clientDir !== null) app.all('*', consoleDoor(options.clientDir));
  return app;
}
