import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressGroup, addressRange } from '#server/admission/address.ts';
import type { Log } from '#server/log.ts';
import type { StallLimits } from '#server/wire/minimum-rate.ts';
import { ConnectionPlaces, type PlaceLimits } from './connection-places.ts';
import type { CrowdNames } from './crowds.ts';
import { SlowReaders } from './slow-readers.ts';

/**
 * What goes on on the server's connections: no more are open than may be, one whose reader takes too little is cut, and one on which the
 * server has stopped is told so with its next answer.
 */
export interface Connections {
  /** Whether an answer on this connection has begun and is not out yet. */
  hasBegunAnswer(socket: Socket): boolean;
  /** A request is refused, and its answer waits: for want of places its connection is one of the first to be closed. */
  holdBack(outgoing: ServerResponse, by: CrowdNames): void;
  /** From now on each answer says that its connection ends: nobody sends the next request to a server that is gone. */
  sayGoodbye(): void;
}

export type ConnectionLimits = PlaceLimits & StallLimits;

const restOfBodyMs = 500;

export function watchConnections(server: Server, limits: ConnectionLimits, log: Log): Connections {
  const open = new Map<Socket, Set<ServerResponse>>();
  const places = new ConnectionPlaces<Socket>(limits, (socket) => socket.destroy());
  let isStopping = false;
  admitOnly(server, (socket) => {
    socket.once('close', () => {
      places.leave(socket);
      // Answers that never had their turn do not hear of it.
      open.delete(socket);
    });
    const address = socket.remoteAddress ?? '';
    return places.admit(socket, [addressRange(address), addressGroup(address)]);
  });

  // Before whatever else listens, since a header must be set before the answer begins.
  server.prependListener('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { socket } = incoming;
    const answers = open.get(socket) ?? new Set();
    // Others before it are what the connection is used for.
    if (answers.size === 0) places.use(socket);
    open.set(socket, answers.add(outgoing));
    outgoing.once('close', () => {
      answers.delete(outgoing);
      if (answers.size > 0) return;
      open.delete(socket);
      places.rest(socket);
    });
    outgoing.once('finish', () => {
      if (!incoming.complete) cutEndless(incoming);
    });
    if (isStopping) outgoing.setHeader('Connection', 'close');
  });

  server.once('listening', () => {
    const stop = new SlowReaders(limits).watch(() => open.keys(), {
      noteCut: (connections) => log.debug('readers were too slow and are cut off', { connections }),
      noteReader: (socket, isSlow) => places.noteReader(socket, isSlow),
    });
    server.once('close', stop);
  });

  return {
    hasBegunAnswer: (socket) => [...(open.get(socket) ?? [])].some(({ headersSent }) => headersSent),
    holdBack(outgoing, by) {
      const { socket } = outgoing;
      if (socket === null) return;
      places.holdBack(socket, by);
      outgoing.once('close', () => {
        // Its next request is there already.
        if (open.has(socket)) places.use(socket);
      });
    },
    sayGoodbye() {
      isStopping = true;
      for (const answers of open.values()) {
        for (const outgoing of answers) if (!outgoing.headersSent) outgoing.setHeader('Connection', 'close');
      }
    },
  };
}

/** The rest of a body whose request is answered is read for a moment, so that the sender hears the answer, and never to its end. */
function cutEndless(incoming: IncomingMessage): void {
  const timer = setTimeout(() => incoming.socket.destroy(), restOfBodyMs);
  incoming.once('close', () => clearTimeout(timer));
  // Whoever has begun to read it and stopped would hold it up.
  incoming.removeAllListeners('data');
  incoming.resume();
}

/** Others are closed before the HTTP server makes anything of them. */
function admitOnly(server: Server, isAdmitted: (socket: Socket) => boolean): void {
  const listeners = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    if (!isAdmitted(socket)) socket.destroy();
    else for (const listener of listeners) listener.call(server, socket);
  });
}
