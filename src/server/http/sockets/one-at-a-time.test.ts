import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { oneAtATime } from './one-at-a-time.ts';

let server: Server;
let sockets: Socket[] = [];
/** Requests that arrived, and those that were begun. */
let arrived = 0;
let begun: string[] = [];

async function serve(listener: RequestListener): Promise<void> {
  arrived = 0;
  begun = [];
  sockets = [];
  server = createServer(
    oneAtATime((incoming, outgoing) => {
      begun.push(incoming.url ?? '');
      listener(incoming, outgoing);
    }),
  );
  server.prependListener('request', () => {
    arrived += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  server.close();
  await once(server, 'close');
});

async function open(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`;
const many = (count: number) => Array.from({ length: count }, (_, i) => `/${i}`);

/** The bodies of all answers up to this one, each on a line of its own. */
async function bodiesUntil(socket: Socket, last: string | undefined): Promise<string[]> {
  const chunks: string[] = [];
  const end = `body ${last}\n`;
  let tail = '';
  for await (const chunk of socket) {
    chunks.push(String(chunk));
    tail = (tail + String(chunk)).slice(-end.length);
    if (tail === end) return (chunks.join('').match(/^body .*$/gm) ?? []).map((line) => line.slice(5));
  }
  throw new Error(`cut after ${chunks.length} pieces`);
}

test('many requests of one connection are worked on one by one, in order, and another need not wait for them', async () => {
  let atWork = 0;
  let most = 0;
  let otherIsAnswered = () => {};
  const other = new Promise<void>((resolve) => {
    otherIsAnswered = resolve;
  });
  await serve(async (incoming, outgoing) => {
    if (incoming.url === '/other') {
      outgoing.once('finish', otherIsAnswered);
    } else {
      atWork += 1;
      most = Math.max(most, atWork);
      if (incoming.url === '/10') await other;
      await new Promise((resolve) => setImmediate(resolve));
      atWork -= 1;
    }
    outgoing.end(`body ${incoming.url}\n`);
  });
  const paths = many(5_000);
  const [socket, others] = [await open(), await open()];
  socket.write(paths.map(get).join(''));
  others.write(get('/other'));
  expect(await bodiesUntil(socket, paths.at(-1))).toEqual(paths);
  expect(most).toBe(1);
});

test('many requests of one connection leave turns to everything else', async () => {
  let turns = 0;
  const seen: number[] = [];
  await serve((_, outgoing) => {
    seen.push(turns);
    outgoing.end('body x\n');
  });
  const count = () => {
    turns += 1;
    if (server.listening) setImmediate(count);
  };
  count();
  const socket = await open();
  const paths = many(50);
  socket.write(paths.map(get).join(''));
  await expect.poll(() => seen.length).toBe(paths.length);
  for (const [i, turn] of seen.entries()) if (i > 0) expect(turn).toBeGreaterThan(seen[i - 1] ?? 0);
});

test('no more is read than can wait, and all is answered in the end', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let waitingMost = 0;
  await serve(async (incoming, outgoing) => {
    waitingMost = Math.max(waitingMost, arrived - begun.length);
    if (incoming.url === '/0') await held;
    outgoing.end(`body ${incoming.url}\n`);
  });
  const paths = many(20_000);
  const socket = await open();
  socket.write(paths.map(get).join(''));
  const others = await open();
  for (let i = 0; i < 20; i += 1) {
    others.write(get('/other'));
    await once(others, 'data');
  }
  expect(arrived).toBeGreaterThan(16);
  release();
  expect(await bodiesUntil(socket, paths.at(-1))).toEqual(paths);
  expect(waitingMost).toBeLessThan(4_096);
});

test('bodies stay with their requests', async () => {
  await serve(async (incoming, outgoing) => {
    let body = '';
    for await (const chunk of incoming) body += String(chunk);
    outgoing.end(`body ${incoming.url} ${body}\n`);
  });
  const paths = many(300);
  const post = (path: string) =>
    `POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Length: ${path.length * 500}\r\n\r\n${path.repeat(500)}`;
  const socket = await open();
  socket.write(paths.map(post).join(''));
  const expected = paths.map((path) => `${path} ${path.repeat(500)}`);
  expect(await bodiesUntil(socket, expected.at(-1))).toEqual(expected);
});

test('what waits on a connection that is gone is never begun', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await serve(async (incoming, outgoing) => {
    if (incoming.url === '/0') await held;
    outgoing.end(`body ${incoming.url}\n`);
  });
  const socket = await open();
  socket.write(many(10).map(get).join(''));
  const others = await open();
  while (arrived < 10) {
    others.write(get('/other'));
    await once(others, 'data');
  }
  socket.destroy();
  const connections = () =>
    new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  while ((await connections()) > 1) {
    others.write(get('/other'));
    await once(others, 'data');
  }
  release();
  others.write(get('/last'));
  await once(others, 'data');
  expect(begun.filter((path) => /^\/\d+$/.test(path))).toEqual(['/0']);
});

test.each(['close', 'keep-alive'])(
  'what is sent behind a last request is not begun (%s)',
  async (connection) => {
    await serve((incoming, outgoing) => {
      if (incoming.url === '/last') outgoing.setHeader('Connection', connection);
      outgoing.end(`body ${incoming.url}\n`);
    });
    const socket = await open();
    socket.write([get('/first'), get('/last'), get('/next')].join(''));
    const isLast = connection === 'close';
    expect(await bodiesUntil(socket, isLast ? '/last' : '/next')).toEqual(
      isLast ? ['/first', '/last'] : ['/first', '/last', '/next'],
    );
    if (isLast) {
      await expect.poll(() => socket.readyState).not.toBe('open');
      // What was to be begun would have been by the time another connection is answered.
      const other = await open();
      other.write(get('/other'));
      await bodiesUntil(other, '/other');
      expect(begun).toEqual(['/first', '/last', '/other']);
    }
  },
);
