import type { Handler } from 'hono';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { jsonAnswer } from '#server/wire/answer.ts';
import type { Environment } from './environment.ts';
import { send } from './send.ts';
import type { Readiness } from './stop-serving.ts';

/** The process answers. */
export const health: Handler<Environment> = (c) => send(c, jsonAnswer({ status: 'ok' }));

/**
 * It can also serve: the database answers, so does a cluster that keeps the indexes, and it is not about to stop. Anybody may ask; however many do at
 * once, each of them is asked once.
 */
export function ready(deps: Pick<Deps, 'record' | 'indexes'>, readiness: Readiness): Handler<Environment> {
  let asking: Promise<void> | null = null;
  const ask = async () => {
    await deps.record.ping().catch((cause: unknown) => {
      throw new AppError('UNAVAILABLE', 'The database does not answer', { cause });
    });
    await deps.indexes.assertThere();
  };
  const askOnce = () => {
    asking ??= ask().finally(() => {
      asking = null;
    });
    return asking;
  };
  return async (c) => {
    if (readiness.isDraining) throw new AppError('UNAVAILABLE', 'This server is about to stop');
    await askOnce();
    return send(c, jsonAnswer({ status: 'ready' }));
  };
}
