import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** A message as it arrived. */
interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

type Answering = (response: ServerResponse, message: Received) => void;

/** A real HTTP server on a port of its own, which answers 204 until it is told what to do. */
export async function startReceiver() {
  const received: Received[] = [];
  let answering: Answering = (response) => response.writeHead(204).end();
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const message = { method, path: url, headers, body: await text(request) };
    received.push(message);
    answering(response, message);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    received,
    answer(given: Answering) {
      answering = given;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
