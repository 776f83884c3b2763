import type { Context as HonoContext } from 'hono';
import type { Answer } from '#server/wire/answer.ts';
import type { Environment } from './environment.ts';

/** Makes the response. The headers stay a plain object on their way to the socket, which spares each request a `Headers`. */
export function send(c: HonoContext<Environment>, { status, headers, body }: Answer): Response {
  // Three times as fast as to spread both, which V8 does property by property.
  const all = Object.assign({}, c.get('headers'), headers);
  if (c.get('cookies').length === 0) return new Response(body, { status, headers: all });
  return withCookies(c, new Response(body, { status, headers: new Headers(all) }));
}

/** For a response that somebody else has made: adds what it lacks. */
export function complete(c: HonoContext<Environment>, response: Response): Response {
  for (const [name, value] of Object.entries(c.get('headers'))) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  return withCookies(c, response);
}

function withCookies(c: HonoContext<Environment>, response: Response): Response {
  for (const cookie of c.get('cookies')) response.headers.append('Set-Cookie', cookie);
  return response;
}
