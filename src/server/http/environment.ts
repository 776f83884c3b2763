import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'hono';
import type { Principal } from '#server/auth/principal.ts';
import type { Log } from '#server/log.ts';
import { type HeaderReader, readerOf } from './header-reader.ts';

/** What every handler of the edge knows of its request. Without a socket (tests) there are no bindings. */
export interface Environment {
  Bindings: { incoming?: IncomingMessage; outgoing?: ServerResponse };
  Variables: {
    requestId: string;
    log: Log;
    /** What every answer carries; an answer's own headers win. */
    headers: Record<string, string>;
    /** Who calls, once that is known. */
    principal?: Principal | null;
    /** Whether the request has been counted against somebody's budget. */
    isCounted?: boolean;
    /** `Set-Cookie` values for the answer. */
    cookies: string[];
    /** To be called when the answer is made. */
    onceAnswered: (() => void)[];
    /** To be called when the answer is out, or its caller gone. */
    onceOut: (() => void)[];
  };
}

/** As they were read from the socket; without one (tests), of the `Request`. */
export function headersOf(c: Context<Environment>): HeaderReader {
  const incoming = c.env?.incoming;
  return incoming ? readerOf(incoming) : c.req.raw.headers;
}

/**
 * The path as it was sent. `Request.url` has been normalised: `%2e%2e` taken for `..`, segments dropped; routing by that would answer
 * for paths that nobody asked for.
 */
export function rawPathOf(request: Request, incoming: IncomingMessage | undefined): string {
  return pathOf(incoming?.url ?? request.url);
}

/** Of a request's target, which may be a path or a whole URL. */
export function pathOf(target: string): string {
  const start = target.startsWith('/') ? 0 : target.indexOf('/', target.indexOf('://') + 3);
  if (start === -1) return '/';
  const end = target.slice(start).search(/[?#]/);
  return end === -1 ? target.slice(start) : target.slice(start, start + end);
}

/** The caller's address. Behind a proxy it is what that proxy appended last; anything before it the caller could have made up. */
export function addressOf(
  headers: HeaderReader,
  incoming: IncomingMessage | undefined,
  trustsProxy: boolean,
): string {
  const forwarded = trustsProxy ? headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined;
  return forwarded || incoming?.socket.remoteAddress || 'unknown';
}
