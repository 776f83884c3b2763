import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ByteShares } from '#server/admission/byte-shares.ts';
import { createLocalHost } from '#server/indexes/host/local-host.ts';
import { call, createCollection, createKey, createProject, must, signUp } from '../testing/callers.ts';
import { type Kit, startKit } from '../testing/kit.ts';
import { createApp } from './app.ts';
import { listen, type RunningServer } from './node-server.ts';

/** Callers who ask and do not read: what they are answered lies in this process, and is counted for as long. */

const megabyte = 1024 * 1024;
/** More than the system takes for a reader who reads nothing: some 4 MB. */
const documentsInList = 10;
/** Together, so that one tenant has room for two lists. */
const answersBytesMax = 50 * megabyte;
const answers = new ByteShares(answersBytesMax);
let kit: Kit;
let server: RunningServer;
let key: string;
let othersKey: string;
const sockets: Socket[] = [];

beforeAll(async () => {
  // Whoever is answered has nothing under way any more.
  // However long all this takes on a busy machine, nobody is cut for reading nothing.
  const settings = { requestsPerCaller: 1, stallTimeoutMs: 3_600_000 };
  kit = await startKit({ host: createLocalHost(), settings });
  const { memory } = kit.deps;
  const app = createApp({ ...kit.deps, memory: { ...memory, answers } }, { clientDir: null });
  server = await listen(app, { ...kit.deps.settings, port: 0 }, kit.deps.log);
  key = await keyWithDocuments();
  othersKey = await keyWithDocuments();
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(async () => {
  await server.close({ graceMs: 0, keptAliveMs: 0 });
  await kit.close();
});

async function keyWithDocuments(): Promise<string> {
  const owner = await signUp(kit);
  const project = await createProject(kit, owner);
  await createCollection(kit, owner, { projectId: project.id, dimension: 8 });
  const made = await createKey(kit, owner, { projectId: project.id });
  const embedding = Array.from({ length: 8 }, () => 1);
  const rows = Array.from({ length: documentsInList }, (_, i) => ({
    id: `d${i}`,
    text: 'x'.repeat(megabyte),
    embedding,
  }));
  const path = '/api/collections/things/documents/import';
  await must(call(kit, { method: 'POST', path, body: rows, as: { key: made.key } }));
  return made.key;
}

const list = '/api/collections/things/documents?per_page=250';

function openSocket(): Socket {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on('error', () => undefined);
  return socket;
}

/** Asks for all documents and reads no more than has come with the first bytes. */
async function askAndStall(): Promise<Socket> {
  const socket = openSocket();
  const body = '{"query":"*","per_page":250}';
  const headers = [`X-API-Key: ${key}`, 'Content-Type: application/json', `Content-Length: ${body.length}`];
  const path = '/api/collections/things/search';
  socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
  const [first] = await once(socket, 'data');
  socket.pause();
  expect(String(first).slice(0, 12)).toBe('HTTP/1.1 200');
  return socket;
}

async function statusOf(path: string, init: RequestInit & { key: string }): Promise<number> {
  const headers = { 'x-api-key': init.key, 'content-type': 'application/json' };
  const response = await fetch(`${server.url}${path}`, { ...init, headers });
  await response.arrayBuffer();
  return response.status;
}

test('hold what they are answered until they hang up, and no more than their share of it', async () => {
  await askAndStall();
  await askAndStall();
  const unread = 2 * documentsInList * megabyte;
  expect(answers.heldBytes).toBeGreaterThan(unread);
  // What they have sent is done with.
  expect(kit.deps.memory.bodies.heldBytes).toBe(0);
  for (let times = 0; times < 5; times += 1) {
    expect(await statusOf(list, { key })).toBe(503);
    expect(answers.heldBytes).toBeLessThan(answersBytesMax);
  }
  // A small answer has room, and so has another tenant's large one.
  expect(await statusOf('/api/collections/things/documents?per_page=1', { key })).toBe(200);
  expect(await statusOf(list, { key: othersKey })).toBe(200);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => answers.heldBytes).toBe(0);
  expect(await statusOf(list, { key })).toBe(200);
});

test('hold nothing any more of what they asked for many times at once, or sent by halves, when they hang up', async () => {
  const { bodies } = kit.deps.memory;
  const head = (method: string, path: string, key: string) =>
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n`;
  const half = `Content-Length: ${2 * megabyte}\r\n\r\n{"id":"half","text":"${'x'.repeat(megabyte)}`;
  const write = `${head('POST', '/api/collections/things/documents', othersKey)}${half}`;
  const asking = openSocket();
  asking.write(`${head('GET', list, key)}\r\n`.repeat(20));
  await once(asking, 'data');
  asking.pause();
  // Behind an answer that is not read a body waits unread.
  const both = openSocket();
  both.write(`${head('GET', list, key)}\r\n${write}`);
  both.pause();
  openSocket().write(write);
  await expect.poll(() => bodies.heldBytes).toBeGreaterThan(megabyte / 2);
  await expect.poll(() => answers.heldBytes).toBeGreaterThan(2 * documentsInList * megabyte);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => [answers.heldBytes, bodies.heldBytes]).toEqual([0, 0]);
  expect(await statusOf(list, { key })).toBe(200);
  expect(await statusOf(list, { key: othersKey })).toBe(200);
});

test('hold it until they have read on to the end, and nothing then', async () => {
  const socket = await askAndStall();
  expect(answers.heldBytes).toBeGreaterThan(documentsInList * megabyte);
  socket.resume();
  await expect.poll(() => answers.heldBytes).toBe(0);
  expect(socket.destroyed).toBe(false);
});
