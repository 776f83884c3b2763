import { setMaxListeners } from 'node:events';
import type { Context as HonoContext } from 'hono';
import { AppError } from '#server/errors.ts';
import type { Environment } from './environment.ts';

/**
 * Work that is stopped because the caller hung up fails with a 400, which is not logged as a failure of ours. The socket is listened to
 * itself where there is one: the request's own signal would be a second one to make.
 */
export function hangUpSignal(c: HonoContext<Environment>): AbortSignal {
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
