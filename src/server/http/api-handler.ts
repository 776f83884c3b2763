import type { Handler } from 'hono';
import type { Deps } from '#server/deps.ts';
import { handleRest } from '#server/rest/handle-rest.ts';
import { corsHeaders } from '#server/wire/cors.ts';
import { createContext } from './create-context.ts';
import { type Environment, headersOf } from './environment.ts';
import { hasKey } from './find-keys.ts';
import { send } from './send.ts';

/** The REST API over HTTP. */
export function apiHandler(deps: Deps): Handler<Environment> {
  return async (c) => {
    // Pages of other sites may read what is answered to a key, never what is answered to a session.
    const answerHeaders = c.get('headers');
    if (hasKey(headersOf(c))) Object.assign(answerHeaders, corsHeaders);
    const request = { raw: c.req.raw, path: c.req.path, answerHeaders };
    return send(c, await handleRest(request, () => createContext(c, deps, { way: 'rest' })));
  };
}
