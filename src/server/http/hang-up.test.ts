import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, createTenant, must } from '../testing/callers.ts';
import { type Kit, startKit } from '../testing/kit.ts';
import { watchedHost } from '../testing/watched-host.ts';
import { listen, type RunningServer } from './node-server.ts';

/** A caller who hangs up is heard of where its search waits: before the engine. */
let kit: Kit;
let server: RunningServer;
let key: string;
let isHeld = false;
/** Searches that wait in the host, by what becomes of them. */
const given: string[] = [];

const watched = watchedHost((name, _, signal) => {
  if ((name !== 'search' && name !== 'list') || !isHeld) return;
  return new Promise<void>((resolve) => {
    given.push('waiting');
    signal?.addEventListener('abort', () => {
      given.push('given up');
      resolve();
    });
  });
});

beforeAll(async () => {
  kit = await startKit({ database: 'bundled', host: watched.host });
  server = await listen(kit.app, { ...kit.deps.settings, port: 0 }, kit.deps.log);
  key = (await createTenant(kit)).key.key;
  const body = { id: 'a', title: 'river' };
  await must(call(kit, { method: 'POST', path: '/api/collections/things/documents', body, as: { key } }));
});

afterAll(async () => {
  await server.close({ graceMs: 1_000, keptAliveMs: 0 });
  await kit.close();
});

const search = JSON.stringify({ collection: 'things', query: 'river' });

test.each([
  ['REST', 'GET', '/api/collections/things/search?q=river', ''],
  ['REST, by meaning', 'GET', '/api/collections/things/vector-search?q=river', ''],
  ['REST, a list', 'GET', '/api/collections/things/documents', ''],
  ['REST, posted', 'POST', '/api/collections/things/search', '{"q":"river"}'],
  ['REST, several posted', 'POST', '/api/multi-search', `{"searches":[${search}]}`],
  ['tRPC', 'GET', `/trpc/search.keyword?input=${encodeURIComponent(search)}`, ''],
  ['tRPC, posted', 'POST', '/trpc/search.keyword', search],
])('a search over %s whose caller hangs up never reaches the engine', async (_, method, path, body) => {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  given.length = 0;
  isHeld = true;
  const headers = [`${method} ${path} HTTP/1.1`, 'Host: localhost', `X-API-Key: ${key}`];
  if (method === 'POST') headers.push('Content-Type: application/json', `Content-Length: ${body.length}`);
  socket.write(`${headers.join('\r\n')}\r\n\r\n${body}`);
  await expect.poll(() => given).toEqual(['waiting']);
  const answered = watched.answered.length;
  socket.destroy();
  await expect.poll(() => given).toEqual(['waiting', 'given up']);
  isHeld = false;
  const after = await fetch(`${server.url}/api/collections/things/search?q=river`, {
    headers: { 'X-API-Key': key },
  });
  expect(await after.json()).toMatchObject({ found: 1 });
  expect(watched.answered.slice(answered)).toEqual(['search']);
  expect(kit.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});
