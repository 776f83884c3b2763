import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The way to a server, which can be cut. */
export interface CutLine {
  url: string;
  /** Connections end, and further ones are ended at once. */
  isCut: boolean;
  /** Nothing passes, and nobody is told: as where a machine vanishes. What was sent meanwhile arrives afterwards. */
  isSilent: boolean;
  close(): Promise<void>;
}

export async function openCutLine(to: string): Promise<CutLine> {
  const { hostname, port } = new URL(to);
  const sockets = new Set<Socket>();
  let isCut = false;
  let isSilent = false;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    // One that is cut tells its other end.
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer((socket) => {
    keep(socket);
    if (isCut) return void socket.destroy();
    const onward = connect(Number(port), hostname);
    keep(onward);
    if (isSilent) for (const each of [socket, onward]) each.cork();
    socket.pipe(onward).pipe(socket);
    socket.on('close', () => onward.destroy());
    onward.on('close', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get isCut() {
      return isCut;
    },
    set isCut(value) {
      isCut = value;
      if (value) cutAll();
    },
    get isSilent() {
      return isSilent;
    },
    set isSilent(value) {
      isSilent = value;
      for (const socket of sockets) {
        if (value) socket.cork();
        else socket.uncork();
      }
    },
    async close() {
      server.close();
      cutAll();
      await once(server, 'close');
    },
  };
}
