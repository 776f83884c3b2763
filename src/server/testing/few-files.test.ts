import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from './databases.ts';
import { setUpAccount } from './kill/rest-client.ts';
import { type ServerProcess, startServer } from './kill/server-process.ts';

/** A process that may open few files, or for a while no further ones. */
let database: FreshDatabase;
let server: ServerProcess;
const sockets: Socket[] = [];
beforeEach(async () => {
  database = await freshDatabase('bundled');
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.stop();
  await database.cleanup();
});

async function start(openFiles: number): Promise<void> {
  const { dataDir, databaseUrl } = database.settings;
  const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? '' };
  const prefix = ['/bin/sh', '-c', `ulimit -n ${openFiles}; exec "$0" "$@"`];
  server = await startServer(env, { prefix });
}

interface Caller {
  get(path: string): Promise<number>;
  write(path: string, body: unknown): Promise<number>;
}

/** Keeps its one connection. */
function callerWith(key: string): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = async (method: string, path: string, body?: string) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const sent = request(`${server.url}/api/collections/films${path && `/${path}`}`, {
      agent,
      method,
      headers,
    });
    sent.end(body);
    const [answer]: IncomingMessage[] = await once(sent, 'response');
    if (!answer) return 0;
    answer.resume();
    await once(answer, 'end');
    return answer.statusCode ?? 0;
  };
  return {
    get: (path) => send('GET', path),
    write: (path, body) => send('POST', path, JSON.stringify(body)),
  };
}

test('more idle connections than files: those who are connected are served, and everybody is once they leave', async () => {
  await start(200);
  const caller = callerWith(await setUpAccount(server.url, ['films']));
  expect(await caller.write('documents', { id: '1', title: 'Solaris' })).toBe(201);
  const refused = await openIdle(400);
  // The sign-up's own connections count too.
  await expect.poll(refused).toBeGreaterThanOrEqual(300);
  expect(await caller.get('search?query=solaris')).toBe(200);
  expect(await caller.write('documents', { id: '2', title: 'Stalker' })).toBe(201);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => isReady()).toBe(true);
});

const prlimit = '/usr/bin/prlimit';

describe.runIf(existsSync(prlimit))('a process that can open nothing for a while', () => {
  test('refuses with 503 at most, and goes on by itself', async () => {
    await start(200);
    const key = await setUpAccount(server.url, ['films']);
    expect(await callerWith(key).write('documents', { id: '1', title: 'Solaris' })).toBe(201);
    expect(await server.stop()).toBe(0);
    await start(200);
    const caller = callerWith(key);
    // Its connection is open and its key is known; the index has not been opened yet.
    expect(await caller.get('')).toBe(200);
    limitFiles(server.pid, Math.max(...openFilesOf(server.pid)) + 1);
    // They take the numbers that are free below the limit.
    await openIdle(60);
    expect(await isReady()).toBe(false);
    expect([200, 503]).toContain(await caller.get('search?query=solaris'));
    expect([201, 503]).toContain(await caller.write('documents', { id: '2', title: 'Stalker' }));
    limitFiles(server.pid, 200);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => caller.get('search?query=solaris')).toBe(200);
    await expect.poll(() => caller.write('documents', { id: '2', title: 'Stalker' })).toBeLessThan(300);
    await expect.poll(() => isReady()).toBe(true);
  });
});

/** Its descriptors, without those of a high number that it was born with. */
const openFilesOf = (pid: number) =>
  readdirSync(`/proc/${pid}/fd`)
    .map(Number)
    .filter((descriptor) => descriptor < 200);

function limitFiles(pid: number, soft: number): void {
  execFileSync(prlimit, [`--pid=${pid}`, `--nofile=${soft}:`]);
}

/** Connections over which nothing is sent. Answers a function that tells how many of them the server has closed. */
async function openIdle(count: number): Promise<() => number> {
  const { hostname, port } = new URL(server.url);
  let closed = 0;
  await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        closed += 1;
      });
      await once(socket, 'connect').catch(() => undefined);
    }),
  );
  return () => closed;
}

async function isReady(): Promise<boolean> {
  return await fetch(`${server.url}/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}
