import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '#server/log.ts';
import { call, createTenant, must } from '../testing/callers.ts';
import { type Kit, startKit } from '../testing/kit.ts';
import { createApp } from './app.ts';
import { listen } from './node-server.ts';
import { type Readiness, stopServing } from './stop-serving.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

test('a server that drains is not ready and serves all else; then streams end, and nobody can connect', async () => {
  const { owner, key } = await createTenant(kit);
  const readiness: Readiness = { isDraining: false };
  const app = createApp(kit.deps, { clientDir: null, readiness });
  const log = createLog('silent');
  const server = await listen({ fetch: app.fetch }, { ...kit.deps.settings, port: 0 }, log);
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${server.url}${path}`, {
      ...init,
      headers: { 'x-api-key': key.key, 'content-type': 'application/json' },
    });
  expect((await ask('/ready')).status).toBe(200);
  const stream = await fetch(`${server.url}/api/live`, { headers: owner.as });
  const told = stream.text();

  let drained: () => void = () => undefined;
  const draining = new Promise<void>((resolve) => {
    drained = resolve;
  });
  const paused: number[] = [];
  const stopped = stopServing({
    server,
    readiness,
    endStreams: () => kit.deps.live.stop(),
    drainMs: 20_000,
    log,
    pause: (milliseconds) => {
      paused.push(milliseconds);
      return draining;
    },
  });
  expect(paused).toEqual([20_000]);
  const ready = await ask('/ready');
  expect([ready.status, await ready.json()]).toEqual([503, expect.objectContaining({ code: 'UNAVAILABLE' })]);
  expect((await ask('/health')).status).toBe(200);
  const documents = '/api/collections/things/documents';
  expect((await ask(documents, { method: 'POST', body: '{"id":"late","title":"torch"}' })).status).toBe(201);
  expect(await (await ask('/api/collections/things/search?query=torch')).json()).toMatchObject({ found: 1 });
  expect(kit.deps.live.listening).toBe(1);

  drained();
  expect(await told).toContain('event: ready');
  await stopped;
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  const [error] = await once(socket, 'error');
  expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  const path = `${documents}/late`;
  expect(await must(call(kit, { method: 'GET', path, as: { key: key.key } }))).toMatchObject({ id: 'late' });
});
