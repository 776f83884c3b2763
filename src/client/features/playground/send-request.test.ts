import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sendRequest } from './send-request.ts';

interface Heard {
  method: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

let origin = '';
let heard: Heard[] = [];
/** Answers every request with what it was sent. */
const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  heard.push({ method: request.method, headers: request.headers, body });
  response.writeHead(418, 'Teapot', { 'X-Request-Id': 'req_1' }).end('{"found":1}');
});

beforeEach(async () => {
  heard = [];
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  vi.unstubAllGlobals();
  if (server.listening) await new Promise((closed) => server.close(closed));
});

const { signal } = new AbortController();
const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', body: string | null = null) =>
  sendRequest({ method, path: `${origin}/api/collections`, body }, 'vk_secret', signal);

it.each([
  ['GET', ''],
  ['POST', '{"a":1}'],
  ['PUT', '{"a":1}'],
  ['DELETE', ''],
] as const)('%s goes with the key, as JSON, and with the body %j', async (method, body) => {
  await send(method, '{"a":1}');
  expect(heard[0]).toMatchObject({
    method,
    body,
    headers: { 'x-api-key': 'vk_secret', 'content-type': 'application/json' },
  });
});

it('an answer is its status, its JSON laid out, its headers and how long it took', async () => {
  const response = await send('GET');
  expect(response).toMatchObject({ status: 418, statusText: 'Teapot', isJson: true, bytes: 11 });
  expect(response.data).toBe('{\n  "found": 1\n}');
  expect(Object.fromEntries(response.headers)).toMatchObject({ 'x-request-id': 'req_1' });
  expect(response.timeMs).toBeGreaterThan(0);
});

it('no answer is status 0, whose data holds the error’s message', async () => {
  await new Promise((closed) => server.close(closed));
  const response = await send('GET');
  expect(response.status).toBe(0);
  expect(JSON.parse(response.data)).toEqual({ error: 'fetch failed' });
});

it('an error without words is an unknown one', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new Error('')));
  expect(JSON.parse((await send('GET')).data)).toEqual({ error: 'Unknown error' });
});
