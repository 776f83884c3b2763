import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Exchange = [incoming: IncomingMessage, outgoing: ServerResponse];

/** Requests of one connection that wait before no more are read from it. */
const waitingBeforePause = 16;
/** So many can arrive in one piece at most before that takes effect; a connection with more is cut. */
const waitingMax = 4_096;

/**
 * Requests that a caller sends on one connection without waiting for answers are worked on one after the other, which is the order in
 * which they have to be answered anyway: however many they are, they take the place of one.
 */
export function oneAtATime(listener: RequestListener): RequestListener {
  const connections = new WeakMap<Socket, Connection>();

  function begin([incoming, outgoing]: Exchange, connection: Connection): void {
    const { socket } = incoming;
    // The answer before was the connection's last one: nobody would hear this one, nor would it ever be over.
    if (outgoing.socket === null) {
      connection.waiting.length = 0;
      return;
    }
    connection.isBusy = true;
    outgoing.once('close', () => {
      if (socket.destroyed) connection.waiting.length = 0;
      const next = connection.waiting.shift();
      if (next === undefined) connection.isBusy = false;
      // In a later turn, since others have a turn then, too.
      else setImmediate(begin, next, connection);
      if (connection.waiting.length === 0) socket.resume();
    });
    listener(incoming, outgoing);
  }

  return (incoming, outgoing) => {
    const { socket } = incoming;
    const connection = connections.get(socket) ?? watch(socket);
    connections.set(socket, connection);
    if (!connection.isBusy) return begin([incoming, outgoing], connection);
    connection.waiting.push([incoming, outgoing]);
    if (isFull(connection)) socket.pause();
    if (connection.waiting.length > waitingMax) socket.destroy();
  };
}

interface Connection {
  isBusy: boolean;
  waiting: Exchange[];
}

function isFull({ waiting }: Connection): boolean {
  return waiting.length >= waitingBeforePause;
}

/** The end of a request makes Node read on, a tick later, whether the socket was paused meanwhile or not. */
function watch(socket: Socket): Connection {
  const connection: Connection = { isBusy: false, waiting: [] };
  socket.on('resume', () => {
    if (!isFull(connection)) return;
    if (socket.readableFlowing) socket.pause();
    // To the stream it is paused already; what reads for the parser only hears of it by the event.
    else socket.emit('pause');
  });
  return connection;
}
