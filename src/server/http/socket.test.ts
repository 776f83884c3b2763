import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '#shared/limits.ts';
import { createTenant } from '../testing/callers.ts';
import { type Kit, startKit } from '../testing/kit.ts';
import { listen, type RunningServer } from './node-server.ts';

/** What only shows on a socket: bytes as they were sent, lengths that lie, connections that are cut. */
let kit: Kit;
let server: RunningServer;
let key: string;
const documents = '/api/collections/things/documents';

async function start(): Promise<void> {
  server = await listen(kit.app, { ...kit.deps.settings, port: 0 }, kit.deps.log);
}

/** What it has counted is in the log then. */
async function restart(): Promise<void> {
  await server.close({ graceMs: 0, keptAliveMs: 0 });
  await start();
}

beforeAll(async () => {
  kit = await startKit();
  await start();
  key = (await createTenant(kit)).key.key;
});

afterAll(async () => {
  await server.close({ graceMs: 1_000, keptAliveMs: 0 });
  await kit.close();
});

async function open(): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Sends bytes as they are and answers all that comes back until the server closes or has said enough. */
async function exchange(
  request: string,
  isEnough = (text: string) => /\r\n\r\n[\s\S]*[}\]]$/.test(text),
): Promise<string> {
  const socket = await open();
  let text = '';
  const answered = new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      text += chunk.toString();
      if (isEnough(text)) resolve();
    });
    socket.on('close', () => resolve());
  });
  socket.write(request);
  await answered;
  socket.destroy();
  return text;
}

const statusOf = (text: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]);
const head = (line: string, ...headers: string[]) =>
  `${line} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n`;
const json = 'Content-Type: application/json';

describe('bodies on the wire', () => {
  test('too long by its announced length: 413 before a byte of it is sent', async () => {
    const text = await exchange(
      head(`POST ${documents}`, json, `Content-Length: ${limits.jsonBodyBytesMax + 1}`),
    );
    expect(statusOf(text)).toBe(413);
  });

  test('too long and chunked: 413 at the limit', async () => {
    const socket = await open();
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.write(head(`POST ${documents}`, json, 'Transfer-Encoding: chunked'));
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    for (
      let sent = 0;
      sent < limits.jsonBodyBytesMax * 2 && text === '' && !socket.destroyed;
      sent += 65_536
    ) {
      if (!socket.write(chunk)) await Promise.race([once(socket, 'drain').catch(() => undefined), closed]);
    }
    await closed;
    expect(statusOf(text)).toBe(413);
  });

  test('shorter than announced, then cut: nothing is written', async () => {
    const socket = await open();
    socket.write(head(`POST ${documents}`, json, 'Content-Length: 100'));
    socket.end('{"id":"never-whole"}');
    await once(socket.resume(), 'close');
    const answer = await kit.app.request(`${documents}/never-whole`, { headers: { 'x-api-key': key } });
    expect(answer.status).toBe(404);
  });

  test('an upload that is cut: what was sent whole before is in, and the server goes on', async () => {
    const socket = await open();
    socket.write(
      head(`POST ${documents}/import`, 'Content-Type: application/x-ndjson', 'Transfer-Encoding: chunked'),
    );
    const ids = Array.from({ length: 500 }, (_, index) => `cut-${index}`);
    const body = `${ids.map((id) => `{"id":"${id}"}\n`).join('')}{"id":"half`;
    socket.write(`${body.length.toString(16)}\r\n${body}\r\n`);
    const stored = async () => {
      const filter = encodeURIComponent('id:[cut-*,half*]');
      const answer = await fetch(`${server.url}${documents}/export?filter_by=${filter}`, {
        headers: { 'x-api-key': key },
      });
      const lines = (await answer.text()).split('\n').filter((line) => line !== '');
      return lines.map((line) => (JSON.parse(line) as { id: string }).id);
    };
    // Three whole batches; what comes behind them waits for more.
    await expect.poll(async () => (await stored()).length).toBe(384);
    socket.destroy();
    await expect.poll(() => kit.logLines.some((line) => line.includes('import stopped'))).toBe(true);
    expect((await stored()).toSorted()).toEqual(ids.slice(0, 384).toSorted());
    expect((await fetch(`${server.url}/ready`)).status).toBe(200);
    expect(kit.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});

describe('requests that could be read in two ways', () => {
  test.each([
    ['two Host headers', head('GET /api/collections', 'Host: other')],
    [
      'two content types',
      head(`POST ${documents}`, json, 'Content-Type: text/plain', 'Content-Length: 2').concat('{}'),
    ],
    [
      'two Authorization headers',
      head('GET /api/collections', 'Authorization: Bearer a', 'Authorization: Bearer b'),
    ],
    ['length and chunks', head(`POST ${documents}`, json, 'Content-Length: 2', 'Transfer-Encoding: chunked')],
    ['no Host', 'GET /health HTTP/1.1\r\n\r\n'],
    ['an odd Host', 'GET /health HTTP/1.1\r\nHost: a b\r\n\r\n'],
  ])('%s: 400', async (_, request) => {
    expect(statusOf(await exchange(request))).toBe(400);
  });

  test.each([
    ['a doubled header', 400, head('GET /api/collections', 'Host: other')],
    ['no Host', 400, 'GET /health HTTP/1.1\r\n\r\n'],
    ['an odd Host', 400, 'GET /health HTTP/1.1\r\nHost: a b\r\n\r\n'],
    ['length and chunks', 400, head(`POST ${documents}`, 'Content-Length: 2', 'Transfer-Encoding: chunked')],
    ['no HTTP at all', 400, 'hello\r\n\r\n'],
    ['headers that are too large', 431, head('GET /health', `X-Large: ${'x'.repeat(20_000)}`)],
    ['an expectation that nobody can meet', 417, head('GET /health', 'Expect: wonders')],
  ])(
    '%s is refused before the app sees it, with the headers of every answer: %i',
    async (_, status, request) => {
      await restart();
      const text = await exchange(request);
      expect(statusOf(text)).toBe(status);
      const [top = '', body = ''] = text.split('\r\n\r\n');
      const headers = new Headers(
        top
          .split('\r\n')
          .slice(1)
          .map((line) => line.split(': ', 2) as [string, string]),
      );
      const requestId = headers.get('x-request-id');
      expect(JSON.parse(body)).toEqual({ message: expect.any(String), code: 'BAD_REQUEST', requestId });
      const ordinary = await fetch(`${server.url}/health`);
      for (const [name, value] of ordinary.headers) {
        if (['x-request-id', 'date', 'connection', 'keep-alive', 'content-length'].includes(name)) continue;
        expect(headers.get(name), name).toBe(value);
      }
      expect(headers.get('connection')).toBe('close');
      expect(kit.logLines.filter((line) => line.includes(`"requestId":"${requestId}"`))).toHaveLength(1);
    },
  );

  test('are few lines of the log, which say how many there were', async () => {
    await restart();
    kit.logLines.length = 0;
    const startedAt = performance.now();
    for (let i = 0; i < 20; i += 1) {
      expect(statusOf(await exchange('GET /health HTTP/1.1\r\n\r\n'))).toBe(400);
      expect(statusOf(await exchange('no request\r\n\r\n'))).toBe(400);
    }
    await restart();
    const all = kit.logLines.map(
      (line) => JSON.parse(line) as { message: string; reason: string; times?: number },
    );
    const lines = all.filter(({ message }) => message === 'a request was refused before it was read');
    expect(new Set(lines.slice(0, 2).map(({ reason }) => reason)).size).toBe(2);
    expect(lines.slice(0, 2).map(({ times }) => times)).toEqual([undefined, undefined]);
    expect(lines.reduce((sum, { times = 1 }) => sum + times, 0)).toBe(40);
    // Of each kind one at once and one that counts, in each second that it took.
    const seconds = Math.ceil((performance.now() - startedAt) / 1_000);
    expect(lines.length).toBeLessThanOrEqual(2 * 2 * (seconds + 1));
  });

  test('the key sent twice: 401', async () => {
    expect(statusOf(await exchange(head('GET /api/collections', `X-API-Key: ${key}`)))).toBe(401);
  });

  test('an absolute address is routed by its path only', async () => {
    expect(statusOf(await exchange(head('GET http://evil.example/api/collections')))).toBe(200);
  });

  test('TRACE: 405', async () => {
    expect(statusOf(await exchange(head('TRACE /api/collections')))).toBe(405);
  });

  test.each([
    '/dashboard/../api/collections',
    '/%2e%2e/api/collections',
    '/x/%2E%2e/api/collections',
    '//api/collections',
  ])('%s as it was sent does not lead to the API', async (target) => {
    expect(statusOf(await exchange(head(`GET ${target}`)))).toBe(404);
  });

  test.each(['%2e%2e', '%2E', '..', '.'])('an id of dots, sent as %s, is an id', async (segment) => {
    const target = `${documents}/${segment}`;
    const put = await exchange(head(`PUT ${target}`, json, 'Content-Length: 9').concat('{"dot":1}'));
    expect(statusOf(put)).toBe(201);
    expect(put).toContain(`"id":"${decodeURIComponent(segment)}"`);
    expect(statusOf(await exchange(head(`GET ${target}`)))).toBe(200);
    expect(statusOf(await exchange(head(`DELETE ${target}`)))).toBe(200);
  });

  test('HEAD answers as GET without a body', async () => {
    const text = await exchange(head('HEAD /api/collections'), (seen) => seen.includes('\r\n\r\n'));
    expect(statusOf(text)).toBe(200);
    expect(text.endsWith('\r\n\r\n')).toBe(true);
  });
});

test('a bad export filter is a 400, a good export is one line a document', async () => {
  const headers = { 'x-api-key': key, 'content-type': 'application/x-ndjson' };
  const rows = Array.from(
    { length: 3_000 },
    (_, index) => `{"id":"e${index}","text":"${'word '.repeat(20)}"}`,
  );
  const upload = await fetch(`${server.url}${documents}/import`, {
    method: 'POST',
    headers,
    body: rows.join('\n'),
  });
  expect(upload.status).toBe(200);
  const bad = await fetch(`${server.url}${documents}/export?filter_by=id:[`, { headers });
  expect(bad.status).toBe(400);
  const good = await fetch(`${server.url}${documents}/export?filter_by=${encodeURIComponent('id:e*')}`, {
    headers,
  });
  expect(good.headers.get('content-type')).toContain('application/x-ndjson');
  const lines = (await good.text()).trimEnd().split('\n');
  expect(new Set(lines.map((line) => (JSON.parse(line) as { id: string }).id)).size).toBe(3_000);
});
