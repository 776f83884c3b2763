/** A way from one server to another over TCP, which can be interrupted as networks are. */
import { connect, createServer } from 'node:net';

/**
 * `silent`: nothing passes and nobody is told, as where packets are dropped; what was sent meanwhile arrives afterwards, or does not where an end gave up.
 */
export async function openRelay(to) {
  const { hostname, port } = new URL(to);
  const sockets = new Set();
  let isSilent = false;
  const keep = (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  };
  const pass = (from, onward) => {
    from.on('data', (bytes) => {
      if (!onward.write(bytes)) from.pause();
    });
    onward.on('drain', () => {
      if (!isSilent) from.resume();
    });
    from.on('close', () => {
      // The end of a connection does not arrive either.
      if (isSilent) onward.once('resume', () => onward.destroy());
      else onward.destroy();
    });
  };
  const server = createServer((near) => {
    const far = connect({ host: hostname, port: Number(port) });
    keep(near);
    keep(far);
    pass(near, far);
    pass(far, near);
    if (isSilent) for (const socket of [near, far]) socket.pause();
  });
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    silence() {
      isSilent = true;
      for (const socket of sockets) socket.pause();
    },
    restore() {
      isSilent = false;
      for (const socket of sockets) socket.resume();
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
