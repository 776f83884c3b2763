import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Server as NetServer, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Settings } from '#server/env.ts';
import type { Log } from '#server/log.ts';
import { type ConnectionLimits, type Connections, watchConnections } from './sockets/connections.ts';
import { type CountFault, createEarlyAnswers, type EarlyAnswers } from './sockets/early-answers.ts';
import { oneAtATime } from './sockets/one-at-a-time.ts';
import { connectionsThatFit } from './sockets/open-files.ts';
import type { TurnAway } from './turn-away/turn-away.ts';

export interface RunningServer {
  /** Where it can be reached from this machine. */
  url: string;
  /** Open connections, whatever goes on on them. */
  countConnections(): number;
  /** Stops accepting, waits for what is being answered, and in the end hangs up on the rest. */
  close(times: ClosingTimes): Promise<void>;
}

interface ClosingTimes {
  /** For requests under way. */
  graceMs: number;
  /** For kept-alive callers: the next request on such a connection is answered, and its answer says that the connection ends. */
  keptAliveMs: number;
}

interface Fetcher {
  fetch: (request: Request, env: Sockets) => Response | Promise<Response>;
  /** Asked first. */
  turnAway?: TurnAway;
  /** Is told of what the app does not see. */
  countFault?: CountFault;
}

interface Sockets {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
}

type ListenSettings = Pick<
  Settings,
  | 'host'
  | 'port'
  | 'publicUrl'
  | 'trustProxy'
  | 'headersTimeoutMs'
  | 'stallTimeoutMs'
  | 'bytesPerSecondMin'
  | 'connectionsMax'
  | 'connectionsPerAddress'
>;

const keepAliveTimeoutMs = 65_000;
/** Connections that wait until they are taken: a system that has room for no more lets a caller try again after a second, and then after three. */
const connectionsWaitingMax = 4_096;
/** Looked for so many times within the time that headers may take. */
const looksForSlowHeaders = 15;
/** So many addresses it takes at least to have all connections, unless an address has no more than so many. */
const addressesMin = 10;
const perAddressMin = 100;
/** A network has the share of so many addresses. */
const addressesPerNetwork = 2;
/** A quarter of them at most has nothing but a refusal that is held back. */
const heldBackShare = 1 / 4;

/** Twice in a request, these could mean one thing to a proxy and another to us. */
const onceOnly = new Set(['host', 'authorization', 'content-type', 'origin']);

/** @throws the listening error (`EADDRINUSE`, `EACCES`, …) */
export async function listen(app: Fetcher, settings: ListenSettings, log: Log): Promise<RunningServer> {
  const early = createEarlyAnswers(settings, log, app.countFault);
  const answer = requestListener(app, early.unreadable);
  const { headersTimeoutMs } = settings;
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: Math.ceil(headersTimeoutMs / looksForSlowHeaders),
      // Bodies have limits of their own, since an import may take hours.
      requestTimeout: 0,
      keepAliveTimeout: keepAliveTimeoutMs,
      // Refused below, with a body and headers.
      requireHostHeader: false,
    },
    oneAtATime((incoming, outgoing) => {
      const fault = faultOf(incoming);
      if (fault !== null) early.refuse(incoming, outgoing, fault);
      else if (!app.turnAway?.(incoming, outgoing, connections.holdBack)) answer(incoming, outgoing);
    }),
  );
  const countConnections = countOpen(server);
  const connections = watchConnections(server, connectionLimits(settings, log), log);
  server.on('checkExpectation', (incoming, outgoing) => {
    early.refuse(incoming, outgoing, 'The only expectation that can be met is 100-continue', 417);
  });
  server.on('clientError', (error, socket) => {
    if (socket instanceof Socket && connections.hasBegunAnswer(socket)) socket.destroy();
    else early.refuseBytes(error, socket);
  });
  server.once('close', early.stop);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    const { port, host } = settings;
    server.listen({ port, host, backlog: connectionsWaitingMax }, resolve);
  });
  return {
    url: urlOf(server, settings.host),
    countConnections,
    close: (times) => close(server, connections, times),
  };
}

/** Before any other listener, as those that are not admitted are closed at once. */
function countOpen(server: Server): () => number {
  const open = new Set<Socket>();
  server.prependListener('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return () => open.size;
}

/** Gives requests to the app, and those that no `Request` can be made of to `unreadable`. */
function requestListener(app: Fetcher, unreadable: EarlyAnswers['unreadable']): RequestListener {
  /** A `Request` is made, or not, while it is given over. */
  let given: IncomingMessage | null = null;
  const listener = getRequestListener((request, env) => app.fetch(request, env as Sockets), {
    // The app answers its own errors.
    errorHandler: () => (given ? unreadable(given) : new Response(null, { status: 500 })) ?? undefined,
  });
  return (incoming, outgoing) => {
    given = incoming;
    void listener(incoming, outgoing);
    given = null;
  };
}

/** A proxy brings everybody's connections, so it has all of them unless the settings say otherwise; a few in one network too. */
function connectionLimits(settings: ListenSettings, log: Log): ConnectionLimits {
  const { connectionsMax, connectionsPerAddress, trustProxy, stallTimeoutMs, bytesPerSecondMin } = settings;
  const max = connectionsThatFit(connectionsMax);
  if (max < connectionsMax) {
    log.info('this process may open few files (ulimit -n), so it takes fewer connections', {
      connectionsMax: max,
    });
  }
  const share = trustProxy ? max : Math.max(perAddressMin, Math.floor(max / addressesMin));
  const perAddress = connectionsPerAddress ?? share;
  return {
    max,
    perAddress,
    perNetwork: trustProxy ? max : addressesPerNetwork * perAddress,
    heldBack: Math.max(1, Math.floor(max * heldBackShare)),
    stallMs: stallTimeoutMs,
    bytesPerSecond: bytesPerSecondMin,
  };
}

/** Why a request is not given to the app. */
function faultOf(incoming: IncomingMessage): string | null {
  const doubled = findDoubled(incoming);
  if (doubled !== null) return `The header ${doubled} is given more than once`;
  return incoming.headers.host === undefined ? 'The header host is missing' : null;
}

function findDoubled({ rawHeaders }: IncomingMessage): string | null {
  const given = new Set<string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? '';
    if (given.has(name)) return name;
    if (onceOnly.has(name)) given.add(name);
  }
  return null;
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const reachable =
    host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${reachable}:${port}`;
}

async function close(
  server: Server,
  connections: Connections,
  { graceMs, keptAliveMs }: ClosingTimes,
): Promise<void> {
  connections.sayGoodbye();
  // An HTTP server's own `close` hangs up on kept-alive callers, whose next request may be on its way.
  const closed = new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve());
  });
  // A connection kept alive becomes idle when its answer is out, and only then may it be closed.
  let sweep: NodeJS.Timeout | undefined;
  const idle = setTimeout(() => {
    sweep = setInterval(() => server.closeIdleConnections(), 50);
  }, keptAliveMs);
  const grace = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(idle);
  clearInterval(sweep);
  clearTimeout(grace);
  // Ends what an HTTP server does on a timer.
  server.close();
}
