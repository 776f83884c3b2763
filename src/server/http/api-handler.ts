import type { Handler, Context as HonoContext } from 'hono';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { answerRest, checkRestRequest } from '#server/rest/adapter.ts';
import { matchRest } from '#server/rest/match.ts';
import type { Endpoint } from '#shared/endpoints.ts';
import type { Environment } from './environment.ts';
import { corsHeaders, preflightHeaders } from './headers.ts';
import { errorResponse, toEdgeError } from './on-error.ts';
import { createContext } from './request-context.ts';
import { rawQuery } from './request-middleware.ts';

/**
 * The REST API over HTTP. In this order, so that a request is refused by what costs least and tells least: is there such a path, such a
 * method, who calls and from where, may such a body come; only then is the body read.
 */
export function apiDoor(deps: Deps): Handler<Environment> {
  return async (c) => {
    const matched = matchRest(c.req.method, c.req.path);
    if (matched.kind === 'unknown') throw new AppError('NOT_FOUND', 'There is no such path in this API');
    if (matched.kind === 'wrong method') return refuseMethod(c, matched.allow, matched.paths);
    const { match } = matched;
    const isOpen = takesKeys(match.endpoint);
    try {
      const ctx = await createContext(c, deps);
      checkRestRequest(match, c.req.raw.headers);
      const query = new URLSearchParams(rawQuery(c.req.url));
      const response = await answerRest({ match, request: c.req.raw, query, ctx });
      return isOpen ? withCors(c, response) : response;
    } catch (error) {
      const response = errorResponse(toEdgeError(error, c.var.log), c.var.requestId);
      return isOpen ? withCors(c, response) : response;
    }
  };
}

function takesKeys(endpoint: Endpoint): boolean {
  return endpoint.access === 'read' || endpoint.access === 'write';
}

/** Only answers to a key are for everyone's pages; one to a session stays with ours. */
function withCors(c: HonoContext<Environment>, response: Response): Response {
  if (c.req.header('x-api-key') === undefined && c.req.header('authorization') === undefined) return response;
  for (const [name, value] of Object.entries(corsHeaders)) response.headers.set(name, value);
  return response;
}

function refuseMethod(c: HonoContext<Environment>, allow: string[], endpoints: Endpoint[]): Response {
  const headers: Record<string, string> = { Allow: allow.join(', ') };
  if (c.req.method === 'OPTIONS') {
    const open = endpoints.filter(takesKeys).map((endpoint) => endpoint.method);
    return new Response(null, {
      status: 204,
      headers: open.length > 0 ? { ...headers, ...preflightHeaders(open) } : headers,
    });
  }
  const error = new AppError(
    'METHOD_NOT_ALLOWED',
    `${c.req.method} is not possible here; use ${allow.join(', ')}`,
  );
  const response = errorResponse(error, c.var.requestId);
  response.headers.set('Allow', allow.join(', '));
  return response;
}
