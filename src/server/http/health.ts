import type { Handler } from 'hono';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Environment } from './environment.ts';

/** The process answers. */
export const health: Handler<Environment> = () => Response.json({ status: 'ok' });

/** It can also serve: the database answers. */
export function ready(deps: Pick<Deps, 'record'>): Handler<Environment> {
  return async () => {
    try {
      await deps.record.ping();
    } catch (cause) {
      throw new AppError('UNAVAILABLE', 'The database does not answer', { cause, retryAfterSeconds: 5 });
    }
    return Response.json({ status: 'ready' });
  };
}
