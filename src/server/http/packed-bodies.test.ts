import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ErrorBody } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';
import { type Credentials, createTenant } from '../testing/callers.ts';
import { type Kit, startKit } from '../testing/kit.ts';
import { listen, type RunningServer } from './node-server.ts';

/** Bodies packed with gzip, over real sockets. */

const megabyte = 1024 * 1024;
let kit: Kit;
let server: RunningServer;
let as: Credentials;

beforeAll(async () => {
  kit = await startKit();
  server = await listen(kit.app, { ...kit.deps.settings, port: 0 }, kit.deps.log);
  as = { key: (await createTenant(kit)).key.key };
});
afterAll(async () => {
  expect(kit.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  await server.close({ graceMs: 0, keptAliveMs: 0 });
  await kit.close();
});

const documents = '/api/collections/things/documents';

async function send<T = ErrorBody>(
  path: string,
  body: Uint8Array<ArrayBuffer>,
  given: Record<string, string> = {},
): Promise<{ status: number; body: T }> {
  const key = as && 'key' in as ? as.key : '';
  const headers = {
    'content-type': 'application/json',
    'content-encoding': 'gzip',
    'x-api-key': key,
    ...given,
  };
  const response = await fetch(`${server.url}${path}`, { method: 'POST', headers, body });
  return { status: response.status, body: (await response.json()) as T };
}

const packed = (value: unknown) => gzipSync(JSON.stringify(value));
const ndjson = { 'content-type': 'application/x-ndjson' };
const countOf = async () => {
  const key = as && 'key' in as ? as.key : '';
  const response = await fetch(`${server.url}${documents}?per_page=1`, { headers: { 'x-api-key': key } });
  return ((await response.json()) as { found: number }).found;
};

describe('a packed body', () => {
  test('is read as what it holds: a document, a search, an import, and a call over tRPC', async () => {
    const document = { id: 'packed', title: 'Solaris '.repeat(20_000) };
    expect(await send(documents, packed(document))).toEqual({ status: 201, body: document });
    const found = await send<{ found: number }>(
      '/api/collections/things/search',
      packed({ query: 'solaris', include_fields: ['id'] }),
    );
    expect(found).toMatchObject({ status: 200, body: { found: 1 } });
    const rows = Array.from({ length: 500 }, (_, i) => ({ id: `r${i}`, n: i }));
    expect(await send(`${documents}/import`, packed(rows))).toMatchObject({
      status: 200,
      body: { succeeded: 500 },
    });
    const lines = gzipSync(rows.map((row) => JSON.stringify({ ...row, id: `l${row.n}` })).join('\n'));
    const answer = await send(`${documents}/import`, lines, { ...ndjson, 'content-encoding': 'X-GZIP' });
    expect(answer).toMatchObject({ status: 200, body: { succeeded: 500 } });
    const login = packed({ email: 'nobody@example.org', password: 'wrong password' });
    expect((await send('/trpc/auth.login', login, { origin: server.url })).status).toBe(401);
  });

  test('of several members is one, and a chunk may end anywhere', async () => {
    const halves = ['{"id":"mem', 'bers","title":"Two"}'].map((half) => gzipSync(half));
    expect((await send(documents, new Uint8Array(Buffer.concat(halves)))).status).toBe(201);
  });

  test('that is cut off is a 400 that says so; what came before it is in', async () => {
    const before = await countOf();
    const rows = Array.from({ length: 2_000 }, (_, i) =>
      JSON.stringify({ id: `cut${i}`, text: `${i ** 3}` }),
    );
    const whole = gzipSync(rows.join('\n'));
    const answer = await send(`${documents}/import`, whole.subarray(0, whole.length - 20), ndjson);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', message: 'The body ends before the end of its gzip stream' },
    });
    expect(await countOf()).toBeGreaterThan(before + 1_000);
    const document = packed({ id: 'never', title: 'x'.repeat(1_000) });
    expect((await send(documents, document.subarray(0, -8))).body.message).toContain('before the end');
  });

  test.each<[string, Uint8Array<ArrayBuffer>]>([
    ['is no gzip', new TextEncoder().encode('{"id":"plain"}')],
    ['has a broken checksum', withBrokenEnd(gzipSync('{"id":"broken"}'))],
    ['is empty', new Uint8Array(0)],
  ])('that %s is a 400', async (_, body) => {
    for (const path of [documents, `${documents}/import`]) {
      expect(await send(path, body)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    }
  });

  test('may be no larger unpacked than a plain one', async () => {
    const text = Array.from({ length: 20_000 }, (_, i) => (i * 7919).toString(36)).join(' ');
    const large = packed({ id: 'large', texts: Array.from({ length: 90 }, () => text) });
    expect(large.length).toBeLessThan(limits.jsonBodyBytesMax);
    expect(await send(documents, large)).toMatchObject({ status: 413 });
  });

  test('that unpacks to a hundred times its size is refused before it is unpacked', async () => {
    for (const bomb of ['\n'.repeat(20 * megabyte), `"${'0'.repeat(20 * megabyte)}`]) {
      const body = gzipSync(bomb, { level: 9 });
      expect(body.length).toBeLessThan(megabyte);
      const before = process.memoryUsage().arrayBuffers;
      const answer = await send(`${documents}/import`, body, ndjson);
      expect(answer).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * megabyte);
    }
    expect((await send(documents, gzipSync(' '.repeat(9 * megabyte)))).status).toBe(413);
    // What is held while they are read is given back.
    await expect.poll(() => kit.deps.memory.bodies.heldBytes).toBe(0);
  });

  test('may come byte by byte', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    const key = as && 'key' in as ? as.key : '';
    const head = [
      `POST ${documents}/import HTTP/1.1`,
      'Host: localhost',
      `X-API-Key: ${key}`,
      'Content-Type: application/x-ndjson',
      'Content-Encoding: gzip',
      'Transfer-Encoding: chunked',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    const body = gzipSync('{"id":"slowly"}\n');
    for (const byte of body)
      socket.write(Buffer.concat([Buffer.from('1\r\n'), Buffer.of(byte), Buffer.from('\r\n')]));
    socket.write('0\r\n\r\n');
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toContain('HTTP/1.1 200');
    socket.destroy();
  });
});

function withBrokenEnd(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const broken = new Uint8Array(bytes);
  broken[broken.length - 6] = (broken[broken.length - 6] ?? 0) ^ 0xff;
  return broken;
}
