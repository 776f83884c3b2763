import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { readSettings, type Settings } from '../../env.ts';
import { createLog } from '../../log.ts';
import { listen, type RunningServer } from '../node-server.ts';
import type { TurnAway } from '../turn-away/turn-away.ts';
import { watchConnections } from './connections.ts';

/** What becomes of connections, whatever the app behind them answers. */
const servers: RunningServer[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) await server.close({ graceMs: 0, keptAliveMs: 0 });
});

type Answer = (request: Request, env: { incoming: IncomingMessage }) => Response | Promise<Response>;

async function serve(
  answer: Answer,
  settings: Partial<Settings> = {},
  turnAway: TurnAway = () => false,
): Promise<RunningServer> {
  const all = { ...readSettings({}), port: 0, ...settings };
  const server = await listen({ fetch: answer, turnAway }, all, createLog('silent'));
  servers.push(server);
  return server;
}

/** On Linux every address of 127.0.0.0/8 is this machine. */
async function open(server: RunningServer, localAddress = '127.0.0.1'): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ port: Number(port), host: hostname, localAddress });
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

const megabyte = 1024 * 1024;
const get = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** An answer without end, and a promise that what makes it was told to stop. */
function endless(): { answer: Answer; stopped: Promise<unknown> } {
  const [stopped, stop] = promised<unknown>();
  const pull = (controller: ReadableStreamDefaultController) => controller.enqueue(Buffer.alloc(65_536));
  return { answer: () => new Response(new ReadableStream({ pull, cancel: stop })), stopped };
}

/** Asks, and reads no more than the first bytes. */
async function askAndStall(server: RunningServer): Promise<Socket> {
  const socket = await open(server);
  socket.write(get);
  await once(socket, 'data');
  socket.pause();
  return socket;
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
    const { answer, stopped } = endless();
    await askAndStall(await serve(answer, { stallTimeoutMs: 60 }));
    await stopped;
  });

  test('a stream whose reader takes something now and then, and too little on average', async () => {
    const { answer, stopped } = endless();
    // No reader takes so much, however fast it is.
    const server = await serve(answer, { stallTimeoutMs: 100, bytesPerSecondMin: 1e15 });
    const socket = await askAndStall(server);
    socket.on('data', () => {
      socket.pause();
      setTimeout(() => socket.resume(), 1);
    });
    socket.resume();
    await stopped;
  });

  test('one large answer is not, as long as its reader takes enough of it', async () => {
    const bytes = 32 * megabyte;
    const stallTimeoutMs = 200;
    const server = await serve(() => new Response(Buffer.alloc(bytes)), { stallTimeoutMs });
    const socket = await open(server);
    const startedAt = performance.now();
    let read = 0;
    socket.on('data', (chunk) => {
      const before = read;
      read += chunk.length;
      if (Math.floor(before / megabyte) === Math.floor(read / megabyte)) return;
      // A megabyte every few milliseconds: all of it takes many times what a reader may stand still.
      socket.pause();
      setTimeout(() => socket.resume(), stallTimeoutMs / 10);
    });
    socket.write(get);
    await expect.poll(() => read > bytes || socket.destroyed).toBe(true);
    expect(read).toBeGreaterThan(bytes);
    expect(performance.now() - startedAt).toBeGreaterThan(2 * stallTimeoutMs);
  });

  test('one that is kept alive and not used again', async () => {
    const [onServer, reached] = promised<Socket>();
    const answer: Answer = (_, { incoming }) => {
      reached(incoming.socket);
      return fine();
    };
    const socket = await open(await serve(answer));
    const text = untilClosed(socket);
    socket.write(get);
    await once(socket, 'data');
    // For a test, it is not used for long enough at once.
    (await onServer).setTimeout(1);
    expect(await text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  test('one that waits for an answer is not, nor one whose reader waits for more of it', async () => {
    // As long as it takes until a reader is cut who has stood still since.
    const aWhile = async () => {
      const { answer, stopped } = endless();
      await askAndStall(await serve(answer, { stallTimeoutMs }));
      await stopped;
    };
    const stallTimeoutMs = 60;
    const slow: Answer = async () => {
      await aWhile();
      const parts = ['all ', 'of it'];
      const pull = async (controller: ReadableStreamDefaultController) => {
        const part = parts.shift();
        if (part === undefined) return controller.close();
        controller.enqueue(Buffer.from(part));
        await aWhile();
      };
      return new Response(new ReadableStream({ pull }));
    };
    const server = await serve(slow, { stallTimeoutMs });
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

test('a body that is not read to its end leaves the connection to the next request', async () => {
  const unread: Answer = async (request) => {
    const reader = request.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    return fine();
  };
  const server = await serve(unread);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ports = new Set<number | undefined>();
  for (let times = 0; times < 3; times += 1) {
    const sent = request(server.url, { agent, method: 'POST' }).end(Buffer.alloc(megabyte));
    const [answer]: IncomingMessage[] = await once(sent, 'response');
    ports.add(sent.socket?.localPort);
    answer?.resume();
    if (answer) await once(answer, 'end');
    expect(answer?.statusCode).toBe(200);
  }
  agent.destroy();
  expect(ports.size).toBe(1);
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

describe('connections', () => {
  const isServed = async (server: RunningServer, from?: string) => {
    const socket = await open(server, from);
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    return (await untilClosed(socket)).startsWith('HTTP/1.1 200 ');
  };
  /** Kept alive. */
  async function use(socket: Socket): Promise<Socket> {
    socket.write(get);
    await once(socket, 'data');
    return socket;
  }
  const openMany = (count: number, server: RunningServer, from?: string) =>
    Promise.all(Array.from({ length: count }, () => open(server, from)));

  test('with a request under way stay; of more than may be open the rest is closed at once, until others leave', async () => {
    const server = await serve(endless().answer, { connectionsMax: 3 });
    const held = await Promise.all((await openMany(3, server)).map(use));
    for (const from of ['127.0.0.1', '127.0.0.2']) {
      expect(await untilClosed(await open(server, from))).toBe('');
    }
    held[0]?.destroy();
    const isTaken = async () => {
      const socket = await open(server);
      socket.write(get);
      const taken = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
      return taken[0] instanceof Buffer;
    };
    await expect.poll(isTaken).toBe(true);
  });

  test('of slow readers make room when there is no other, and those of others stay', async () => {
    const { answer } = endless();
    const server = await serve(answer, { connectionsMax: 3, stallTimeoutMs: 6_000 });
    const fast = await use(await open(server));
    const slow = await Promise.all([askAndStall(server), askAndStall(server)]);
    const isTaken = async () => {
      const socket = await open(server, '127.0.1.1');
      socket.write(get);
      return (await Promise.race([once(socket, 'data'), once(socket, 'close')]))[0] instanceof Buffer;
    };
    await expect.poll(isTaken).toBe(true);
    const closed = slow.map((socket) => once(socket, 'close'));
    for (const socket of slow) socket.resume();
    await Promise.race(closed);
    expect(slow.filter(({ destroyed }) => !destroyed)).toHaveLength(1);
    expect(fast.destroyed).toBe(false);
  });

  test('of one address are no more than its share, and other addresses are served', async () => {
    const server = await serve(fine, { connectionsMax: 10, connectionsPerAddress: 3 });
    const held = await Promise.all((await openMany(3, server)).map(use));
    expect(await isServed(server)).toBe(false);
    expect(await isServed(server, '127.0.0.2')).toBe(true);
    for (const socket of held) await use(socket);
    held[0]?.destroy();
    await expect.poll(() => isServed(server)).toBe(true);
  });

  test('of one network are no more than two addresses may have, however many it has', async () => {
    const server = await serve(fine, { connectionsMax: 10, connectionsPerAddress: 2 });
    for (const last of [1, 2])
      for (const socket of await openMany(2, server, `127.0.0.${last}`)) await use(socket);
    expect(await isServed(server, '127.0.0.3')).toBe(false);
    expect(await isServed(server, '127.0.1.3')).toBe(true);
  });

  test.each([
    ['a tenth of them', false],
    ['all of them, where it is a trusted proxy’s', true],
  ])('may be so many of one address: %s', async (_, trustProxy) => {
    const server = await serve(fine, { connectionsMax: 1_100, trustProxy });
    const held = await openMany(110, server);
    for (const socket of held) await use(socket);
    const further = await open(server);
    if (trustProxy) await use(further);
    else expect(await untilClosed(further)).toBe('');
    for (const socket of held) await use(socket);
  });

  test('that are idle make room when there is no other, those of the address with most of them first', async () => {
    const server = await serve(fine, { connectionsMax: 5 });
    const many: Socket[] = [];
    for (let i = 0; i < 3; i += 1) many.push(await use(await open(server, '127.0.0.1')));
    const few: Socket[] = [];
    for (let i = 0; i < 2; i += 1) few.push(await use(await open(server, '127.0.0.2')));
    // It becomes the one that was used last.
    if (many[0]) await use(many[0]);
    const closed = many[1] && once(many[1], 'close');
    const newcomer = await use(await open(server, '127.0.0.3'));
    many[1]?.resume();
    await closed;
    for (const socket of [many[0], many[2], ...few, newcomer]) if (socket) await use(socket);
  });
});

describe('connections on which a refusal is held back', () => {
  /** Refuses whoever says who they are, and keeps the answer back until it is told. */
  function refusing() {
    const heldBack: (() => void)[] = [];
    const turnAway: TurnAway = (incoming, outgoing, holdBack) => {
      const who = incoming.headers['x-who'];
      if (typeof who !== 'string') return false;
      holdBack?.(outgoing, [who, who]);
      heldBack.push(() => outgoing.writeHead(429).end());
      return true;
    };
    const holdBack = async (server: RunningServer, who: string, more = ''): Promise<Socket> => {
      const socket = await open(server);
      const before = heldBack.length;
      socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\nX-Who: ${who}\r\n\r\n${more}`);
      await expect.poll(() => heldBack.length).toBe(before + 1);
      return socket;
    };
    return { turnAway, heldBack, holdBack };
  }
  async function use(socket: Socket): Promise<Socket> {
    socket.write(get);
    await once(socket, 'data');
    return socket;
  }

  test('are a quarter of all at most: the largest crowd loses its oldest', async () => {
    const { turnAway, holdBack } = refusing();
    // Behind a proxy all come from one address.
    const server = await serve(fine, { connectionsMax: 12, trustProxy: true }, turnAway);
    const oldest = untilClosed(await holdBack(server, 'crowd'));
    const others: Socket[] = [];
    for (const who of ['crowd', 'one', 'another']) others.push(await holdBack(server, who));
    expect(await oldest).toBe('');
    await use(await open(server));
    expect(others.map((socket) => socket.destroyed)).toEqual([false, false, false]);
  });

  test('make room for newcomers, and what is idle or at work stays', async () => {
    const { turnAway, holdBack } = refusing();
    const server = await serve(fine, { connectionsMax: 4 }, turnAway);
    const idle = await use(await open(server));
    // What is sent behind it is not begun.
    const held = await holdBack(server, 'crowd', get);
    const more = [await use(await open(server)), await use(await open(server))];
    const closed = untilClosed(held);
    const newcomer = await use(await open(server, '127.0.0.2'));
    expect(await closed).toBe('');
    for (const socket of [idle, ...more, newcomer]) await use(socket);
  });

  test('are at work again with the next request', async () => {
    const { turnAway, heldBack, holdBack } = refusing();
    const server = await serve(endless().answer, { connectionsMax: 1 }, turnAway);
    const socket = await holdBack(server, 'crowd', get);
    let text = '';
    socket.on('data', (chunk) => {
      text = (text + chunk).slice(0, 1_000);
    });
    heldBack[0]?.();
    await expect.poll(() => text).toContain('200 OK');
    expect(await untilClosed(await open(server))).toBe('');
    expect(socket.destroyed).toBe(false);
  });
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

test('nothing is kept of a connection that ends while its requests wait for each other', async () => {
  const server = createServer();
  const limits = {
    max: 10,
    perAddress: 10,
    perNetwork: 10,
    heldBack: 10,
    stallMs: 60_000,
    bytesPerSecond: 1_000,
  };
  const connections = watchConnections(server, limits, createLog('silent'));
  const answers: ServerResponse[] = [];
  const ended: Promise<unknown>[] = [];
  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    answers.push(outgoing);
    ended.push(once(incoming.socket, 'close'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  socket.write(get.repeat(5));
  await expect.poll(() => answers.length).toBe(5);
  socket.destroy();
  await Promise.all(ended);
  // It would tell those that it still knows.
  connections.sayGoodbye();
  expect(answers.map((answer) => answer.getHeader('Connection'))).toEqual(Array(5).fill(undefined));
  server.close();
  await once(server, 'close');
});
