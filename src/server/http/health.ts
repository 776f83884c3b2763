import type { Handler } from 'hono';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { jsonAnswer } from '#server/wire/answer.ts';
import type { Environment } from './environment.ts';
import { send } from './send.ts';

/** The process answers. */
export const health: Handler<Environment> = (c) => send(c, jsonAnswer({ status: 'ok' }));

/** It can also serve: the database answers. Anybody may ask; however many do at once, it is one statement. */
export function ready(deps: Pick<Deps, 'record'>): Handler<Environment> {
  let pinging: Promise<void> | null = null;
  const ping = () => {
    pinging ??= deps.record.ping().finally(() => {
      pinging = null;
    });
    return pinging;
  };
  return async (c) => {
    try {
      await ping();
    } catch (cause) {
      throw new AppError('UNAVAILABLE', 'The database does not answer', { cause });
    }
    return send(c, jsonAnswer({ status: 'ready' }));
  };
}
