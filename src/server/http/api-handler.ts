import type { Handler } from 'hono';
import type { Deps } from '#server/deps.ts';
import { handleRest } from '#server/rest/handle-rest.ts';
import { createContext } from './create-context.ts';
import { type Environment, headersOf } from './environment.ts';
import { hasKey } from './find-keys.ts';
import { headOf } from './request-head.ts';
import { requestHeaders } from './security-headers.ts';
import { send } from './send.ts';

/** The REST API over HTTP. */
export function apiHandler(deps: Deps): Handler<Environment> {
  return async (c) => {
    // Pages of other sites may read what is answered to a key, never what is answered to a session.
    const headers = headersOf(c);
    if (hasKey(headers)) {
      const { isSecure: isHttps } = headOf(c.env?.incoming, headers, deps.settings);
      c.set('headers', requestHeaders(c.get('requestId'), { isHttps, isOpen: true }));
    }
    const request = { raw: c.req.raw, path: c.req.path, answerHeaders: c.get('headers') };
    return send(c, await handleRest(request, () => createContext(c, deps, { way: 'rest' })));
  };
}
