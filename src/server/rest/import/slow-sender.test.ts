import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '#server/http/app.ts';
import { listen, type RunningServer } from '#server/http/node-server.ts';
import { call, createCollection, createKey, createProject, signUp } from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';

let kit: Kit;
let server: RunningServer;
let key: string;

beforeAll(async () => {
  kit = await startKit({ database: 'bundled', settings: { requestsPerCaller: 1 } });
  // Nobody sends so much.
  const settings = { ...kit.deps.settings, port: 0, stallTimeoutMs: 2_000, bytesPerSecondMin: 1e12 };
  const app = createApp({ ...kit.deps, settings }, { clientDir: null });
  server = await listen(app, settings, kit.deps.log);
  const owner = await signUp(kit);
  const project = await createProject(kit, owner);
  await createCollection(kit, owner, { projectId: project.id, dimension: 8 });
  ({ key } = await createKey(kit, owner, { projectId: project.id }));
});
afterAll(async () => {
  await server.close({ graceMs: 0, keptAliveMs: 0 });
  await kit.close();
});

/** They are written without waiting for further ones. */
const batchRows = 128;
const documents = '/api/collections/things/documents';

test('an import that dribbles is cut off: the batches that came before are in, and its place is free', async () => {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  const headers = [`X-API-Key: ${key}`, 'Content-Type: application/x-ndjson', 'Transfer-Encoding: chunked'];
  socket.write(`POST ${documents}/import HTTP/1.1\r\nHost: localhost\r\n${headers.join('\r\n')}\r\n\r\n`);
  const rows = Array.from({ length: batchRows }, (_, i) => `{"id":"d${i}"}\n`).join('');
  socket.write(`${rows.length.toString(16)}\r\n${rows}\r\n`);
  const dribble = setInterval(() => socket.write('1\r\n\n\r\n'), 5);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(dribble);
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
  expect(text).toMatch(/Fewer than \d+ bytes a second of the body arrived|Nothing more of the body arrived/);
  const found = async () => {
    const path = `${documents}/export`;
    const { status, body } = await call<string>(kit, { method: 'GET', path, as: { key } });
    return [status, body.split('\n').length - 1];
  };
  await expect.poll(found).toEqual([200, batchRows]);
});
