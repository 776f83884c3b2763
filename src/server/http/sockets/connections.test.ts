import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { readSettings, type Settings } from '../../env.ts';
import { createLog } from '../../log.ts';
import { listen, type RunningServer } from '../node-server.ts';

/** What becomes of connections, whatever the app behind them answers. */
const servers: RunningServer[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) await server.close({ graceMs: 0, keptAliveMs: 0 });
});

type Answer = (request: Request, env: { incoming: IncomingMessage }) => Response | Promise<Response>;

async function serve(answer: Answer, settings: Partial<Settings> = {}): Promise<RunningServer> {
  const all = { ...readSettings({}), port: 0, ...settings };
  const server = await listen({ fetch: answer }, all, createLog('silent'));
  servers.push(server);
  return server;
}

async function open(server: RunningServer): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** All that comes until the server hangs up. */
async function untilClosed(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  await new Promise((resolve) => socket.once('close', resolve));
  return text;
}

const fine = () => new Response('fine');

/** What somebody waits for, and how to give it. */
function promised<T>(): [Promise<T>, (value: T) => void] {
  let give = (_: T) => {};
  const promise = new Promise<T>((resolve) => {
    give = resolve;
  });
  return [promise, give];
}

/** Nothing moves on the server's end of a connection for as long as that is allowed: for a test, a moment. */
async function silence(socket: Socket): Promise<void> {
  const silent = once(socket, 'timeout');
  socket.setTimeout(1);
  await silent;
}

async function silenceUntilCut(socket: Socket): Promise<void> {
  while (!socket.destroyed) await Promise.race([silence(socket), once(socket, 'close')]);
}

describe('a connection on which nothing moves is cut', () => {
  test.each([
    ['nothing at all', ''],
    ['half a request line', 'GET /hea'],
    ['headers without an end', 'GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: 1\r\n'],
  ])('%s: 408 and the end', async (_, sent) => {
    const socket = await open(await serve(fine, { headersTimeoutMs: 60 }));
    socket.write(sent);
    expect(await untilClosed(socket)).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  });

  test('headers that dribble', async () => {
    const socket = await open(await serve(fine, { headersTimeoutMs: 60 }));
    socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\n');
    const dribble = setInterval(() => socket.write('X: 1\r\n'), 5);
    const text = await untilClosed(socket);
    clearInterval(dribble);
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('a stream whose reader stalls: what makes it is told to stop', async () => {
    const [onServer, reached] = promised<Socket>();
    const [stopped, stop] = promised<unknown>();
    const endless: Answer = (_, { incoming }) => {
      reached(incoming.socket);
      const pull = (controller: ReadableStreamDefaultController) => controller.enqueue(Buffer.alloc(65_536));
      return new Response(new ReadableStream({ pull, cancel: stop }));
    };
    const socket = await open(await serve(endless));
    socket.write('GET /export HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'data');
    socket.pause();
    // What is sent first still finds room on the way.
    await silenceUntilCut(await onServer);
    await stopped;
  });

  test('one that is kept alive and not used again', async () => {
    const [onServer, reached] = promised<Socket>();
    const answer: Answer = (_, { incoming }) => {
      reached(incoming.socket);
      return fine();
    };
    const socket = await open(await serve(answer));
    const text = untilClosed(socket);
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'data');
    await silenceUntilCut(await onServer);
    expect(await text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  test('one that waits for an answer is not, nor one whose reader waits for more of it', async () => {
    const slow: Answer = async (_, { incoming: { socket } }) => {
      for (let times = 0; times < 3; times += 1) await silence(socket);
      const parts = ['all ', 'of it'];
      const pull = async (controller: ReadableStreamDefaultController) => {
        const part = parts.shift();
        if (part === undefined) return controller.close();
        controller.enqueue(Buffer.from(part));
        await silence(socket);
      };
      return new Response(new ReadableStream({ pull }));
    };
    const server = await serve(slow);
    expect(await (await fetch(server.url)).text()).toBe('all of it');
  });

  test.each(['GET', 'HEAD'])('a body without end on %s: answered, then cut', async (method) => {
    const socket = await open(await serve(fine));
    socket.write(`${method} / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n`);
    const sending = setInterval(() => socket.write('1\r\nx\r\n'), 5);
    const text = await untilClosed(socket);
    clearInterval(sending);
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });
});

test('what is no request, sent while an answer is on its way, ends the connection and puts nothing into the answer', async () => {
  const endless = () =>
    new Response(new ReadableStream({ start: (all) => all.enqueue(Buffer.from('begun')) }));
  const socket = await open(await serve(endless));
  const text = untilClosed(socket);
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'data');
  socket.write('this is no request\r\n\r\n');
  expect((await text).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
});

test('of more connections than may be open the rest is closed at once, until others leave', async () => {
  const server = await serve(fine, { connectionsMax: 3 });
  const held = await Promise.all(Array.from({ length: 3 }, () => open(server)));
  for (const socket of held) {
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'data');
  }
  const further = await open(server);
  expect(await untilClosed(further)).toBe('');
  held[0]?.destroy();
  const isServed = async () => {
    const socket = await open(server);
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    return await untilClosed(socket);
  };
  await expect.poll(isServed).toMatch(/^HTTP\/1\.1 200 /);
});

describe('a server that stops', () => {
  /** One call of a kept-alive caller. */
  async function callOn(agent: Agent, url: string): Promise<{ status: number; connection: string }> {
    const sent = request(url, { agent }).end();
    const [answer]: IncomingMessage[] = await once(sent, 'response');
    answer?.resume();
    if (answer) await once(answer, 'end');
    return { status: answer?.statusCode ?? 0, connection: answer?.headers.connection ?? '' };
  }

  test('answers the next request of each kept-alive caller, and says that the connection ends with it', async () => {
    const server = await serve(fine);
    const agents = Array.from({ length: 8 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    for (const agent of agents) expect((await callOn(agent, server.url)).status).toBe(200);
    const closed = server.close({ graceMs: 60_000, keptAliveMs: 60_000 });
    for (const agent of agents) {
      expect(await callOn(agent, server.url)).toEqual({ status: 200, connection: 'close' });
    }
    await closed;
    for (const agent of agents) await expect(callOn(agent, server.url)).rejects.toThrow('ECONNREFUSED');
  });

  test('says so in an answer that was being made, too', async () => {
    let answer = (_: Response) => {};
    let hasCome = () => {};
    const come = new Promise<void>((resolve) => {
      hasCome = resolve;
    });
    const server = await serve(() => {
      hasCome();
      return new Promise((resolve) => {
        answer = resolve;
      });
    });
    const agent = new Agent({ keepAlive: true });
    const answered = callOn(agent, server.url);
    await come;
    const closed = server.close({ graceMs: 60_000, keptAliveMs: 60_000 });
    answer(fine());
    expect(await answered).toEqual({ status: 200, connection: 'close' });
    await closed;
  });

  test('lets an answer that has begun come to its end', async () => {
    const [goOn, goOnNow] = promised<null>();
    const slow = () =>
      new Response(
        new ReadableStream({
          async start(controller) {
            controller.enqueue(Buffer.from('one '));
            await goOn;
            controller.enqueue(Buffer.from('two'));
            controller.close();
          },
        }),
      );
    const server = await serve(slow);
    const answer = await fetch(server.url);
    const closed = server.close({ graceMs: 60_000, keptAliveMs: 1 });
    goOnNow(null);
    expect(await answer.text()).toBe('one two');
    await closed;
  });

  test('closes the connections of those who send nothing more', async () => {
    const server = await serve(fine);
    const agent = new Agent({ keepAlive: true });
    await callOn(agent, server.url);
    await server.close({ graceMs: 60_000, keptAliveMs: 1 });
  });
});
