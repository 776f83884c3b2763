import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ByteShares } from '#server/admission/byte-shares.ts';
import { createApp } from '#server/http/app.ts';
import { listen, type RunningServer } from '#server/http/node-server.ts';
import { createTenant } from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import type { ImportSummary } from '#shared/documents.ts';

/** What uploads of any size hold: results that wait in files for the end of their import, and rows that have begun. */

const megabyte = 1024 * 1024;
const spools = new ByteShares(2 * megabyte, 'no room for results');
/** So that an account has room for two rows of a megabyte. */
const bodies = new ByteShares(4.5 * megabyte);
let kit: Kit;
let server: RunningServer;
let key: string;
let othersKey: string;
beforeAll(async () => {
  kit = await startKit();
  const { memory, settings, log } = kit.deps;
  const app = createApp({ ...kit.deps, memory: { ...memory, spools, bodies } }, { clientDir: null });
  server = await listen(app, { ...settings, port: 0 }, log);
  key = (await createTenant(kit)).key.key;
  othersKey = (await createTenant(kit)).key.key;
});
afterAll(async () => {
  await server.close({ graceMs: 0, keptAliveMs: 0 });
  await kit.close();
});

const path = '/api/collections/things/documents/import';
const document = '{"id":"in","embedding":[1,0,0,0,0,0,0,0]}\n';
/** Each is answered with some ninety bytes. */
const faults = (rows: number) => '1\n'.repeat(rows);

async function upload(body: string, as = key): Promise<{ status: number; text: string }> {
  const headers = { 'x-api-key': as, 'content-type': 'application/x-ndjson' };
  const response = await fetch(`${server.url}${path}`, { method: 'POST', headers, body });
  return { status: response.status, text: await response.text() };
}

test('results beyond its share end an import, and what came before is in', async () => {
  const { status, text } = await upload(document + faults(20_000));
  expect([status, text]).toEqual([503, expect.stringContaining('no room for results')]);
  const written = `${server.url}/api/collections/things/documents/in`;
  expect((await fetch(written, { headers: { 'x-api-key': key } })).status).toBe(200);
  await expect.poll(() => spools.heldBytes).toBe(0);
});

test('results are held until they are read, for whom they are', async () => {
  const { status, text } = await upload(document + faults(5_000));
  expect(status).toBe(207);
  expect((JSON.parse(text) as ImportSummary).results).toHaveLength(5_001);
  await expect.poll(() => spools.heldBytes).toBe(0);
  // Most of what is left is another's.
  const other = spools.hold('another');
  other.add(900 * 1024);
  const own = spools.hold('a third one');
  own.add(500 * 1024);
  expect((await upload(document + faults(10_000), othersKey)).status).toBe(503);
  // Small ones need no file.
  expect((await upload(document + faults(10), othersKey)).status).toBe(207);
  for (const held of [other, own]) held.release();
  expect((await upload(document + faults(5_000), othersKey)).status).toBe(207);
});

/** Sends the beginning of a row. */
async function beginRow(): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const headers = [
    `X-API-Key: ${key}`,
    'Content-Type: application/x-ndjson',
    `Content-Length: ${3 * megabyte}`,
  ];
  socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${headers.join('\r\n')}\r\n\r\n`);
  socket.write(`{"id":"begun","text":"${'x'.repeat(megabyte)}`);
  return socket;
}

test('rows that have begun are held until their senders are gone, and no more of an account than its share', async () => {
  const sockets = [await beginRow(), await beginRow()];
  await expect.poll(() => bodies.heldBytes).toBeGreaterThan(1.7 * megabyte);
  const third = await beginRow();
  const [answer] = await once(third, 'data');
  expect(String(answer).slice(0, 12)).toBe('HTTP/1.1 503');
  expect((await upload(document)).status).toBe(200);
  expect((await upload(`{"id":"large","text":"${'x'.repeat(megabyte)}"}`, othersKey)).status).toBe(200);
  for (const socket of [...sockets, third]) socket.destroy();
  await expect.poll(() => bodies.heldBytes).toBe(0);
});
