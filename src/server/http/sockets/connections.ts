import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * What goes on on the server's connections: one on which a reader or a sender stalls is cut, and one on which the server has stopped is
 * told so with its next answer.
 */
export interface Connections {
  /** Whether an answer on this connection has begun and is not out yet. */
  hasBegunAnswer(socket: Socket): boolean;
  /** From now on each answer says that its connection ends: nobody sends the next request to a server that is gone. */
  sayGoodbye(): void;
}

const restOfBodyMs = 500;

export function watchConnections(server: Server, stallMs: number): Connections {
  const open = new Map<Socket, Set<ServerResponse>>();
  let isStopping = false;

  // Before whatever else listens, since a header must be set before the answer begins.
  server.prependListener('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { socket } = incoming;
    const answers = open.get(socket) ?? new Set();
    open.set(socket, answers.add(outgoing));
    outgoing.once('close', () => {
      answers.delete(outgoing);
      if (answers.size === 0) open.delete(socket);
    });
    outgoing.once('finish', () => {
      if (!incoming.complete) cutEndless(incoming);
    });
    if (isStopping) outgoing.setHeader('Connection', 'close');
  });

  // Node takes it for a sign of life, once, that a part of a write has left: a reader has so long at least, twice as long at most.
  // Also called where the server itself lets a caller wait. What it sends then is nothing; with a stalled reader it is the rest of an answer.
  server.setTimeout(stallMs, (socket) => {
    if (!open.has(socket) || socket.writableLength > 0) socket.destroy();
    else socket.setTimeout(stallMs);
  });

  return {
    hasBegunAnswer: (socket) => [...(open.get(socket) ?? [])].some(({ headersSent }) => headersSent),
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
}
