import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Settings } from '#server/env.ts';
import { AppError } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import { type Answer, errorAnswer } from '#server/wire/answer.ts';
import { securityHeaders } from './security-headers.ts';

export interface RunningServer {
  /** Where it can be reached from this machine. */
  url: string;
  /** Stops accepting, waits for what is being answered, and after `graceMs` hangs up on the rest. */
  close(graceMs: number): Promise<void>;
}

interface Fetcher {
  fetch: (request: Request, env: Sockets) => Response | Promise<Response>;
}

interface Sockets {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
}

/** Headers must be complete by then. Bodies have limits of their own, since an import may take hours. */
const headersTimeoutMs = 15_000;
const keepAliveTimeoutMs = 65_000;

/** Twice in a request, these could mean one thing to a proxy and another to us. */
const onceOnly = ['host', 'authorization', 'content-type', 'origin'];

/** @throws the listening error (`EADDRINUSE`, `EACCES`, …) */
export async function listen(
  app: Fetcher,
  settings: Pick<Settings, 'host' | 'port'>,
  log: Log,
): Promise<RunningServer> {
  const answer = getRequestListener((request, env) => app.fetch(request, env as Sockets), {
    errorHandler: (error) => unreadable(error, log),
  });
  const server = createServer(
    { headersTimeout: headersTimeoutMs, requestTimeout: 0, keepAliveTimeout: keepAliveTimeoutMs },
    (incoming, outgoing) => {
      const doubled = onceOnly.find((name) => countHeader(incoming, name) > 1);
      if (doubled) refuse(outgoing, `The header ${doubled} is given more than once`);
      else void answer(incoming, outgoing);
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port, settings.host, resolve);
  });
  return { url: urlOf(server, settings.host), close: (graceMs) => close(server, graceMs) };
}

function countHeader(incoming: IncomingMessage, name: string): number {
  return incoming.rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;
}

function refuse(outgoing: ServerResponse, message: string): void {
  const { status, headers, body } = badRequestAnswer(message);
  outgoing.writeHead(status, { ...headers, Connection: 'close' }).end(body);
}

/** A request line or Host that no URL can be made of never reaches the app. */
function unreadable(error: unknown, log: Log): Response {
  log.info('unreadable request', { error });
  const { body, ...init } = badRequestAnswer('The address or the Host header is not valid');
  return new Response(body, init);
}

/** For a request that the app does not see; such answers carry the same headers as the app's. */
function badRequestAnswer(message: string): Answer {
  const requestId = randomUUID();
  const answer = errorAnswer(new AppError('BAD_REQUEST', message), requestId);
  return { ...answer, headers: { ...securityHeaders(false), 'X-Request-Id': requestId, ...answer.headers } };
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const reachable =
    host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${reachable}:${port}`;
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection kept alive becomes idle when its answer is out, and only then may it be closed.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const grace = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(grace);
}
