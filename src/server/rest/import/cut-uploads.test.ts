import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen, type RunningServer } from '#server/http/node-server.ts';
import { RandomNumbers } from '#server/random-numbers.ts';
import { type Credentials, call, createTenant, must } from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import type { Import, ImportSummary } from '#shared/documents.ts';

let kit: Kit;
let server: RunningServer;
let key: string;
let as: Credentials;
beforeAll(async () => {
  kit = await startKit();
  server = await listen(kit.app, { ...kit.deps.settings, port: 0 }, kit.deps.log);
  ({ key } = (await createTenant(kit)).key);
  as = { key };
});
afterAll(async () => {
  await server.close({ graceMs: 0, keptAliveMs: 0 });
  await kit.close();
});

/** They are written without waiting for further ones. */
const batchRows = 128;
const documents = '/api/collections/things/documents';
const rowsOf = (action: string) =>
  Array.from({ length: 1_500 }, (_, i) => {
    // Every third has no id of its own; a merge needs one that is there.
    const id = action === 'update' || i % 3 !== 0 ? { id: `${action}${i}` } : {};
    return JSON.stringify({ ...id, token: `${action} ${i}` });
  });

/**
 * Sends a part of the upload, and hangs up once so many rows of it are in. False: it is to be sent again, since the one before is not over
 * yet, or the database has no time.
 * @throws Error for any other answer: there is none before its end
 */
async function cutUpload(
  path: string,
  importKey: string,
  { body, part, rows }: { body: Buffer; part: Buffer; rows: number },
): Promise<boolean> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    `X-API-Key: ${key}`,
    `Idempotency-Key: ${importKey}`,
    'Content-Type: application/x-ndjson',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await new Promise<void>((resolve) => socket.write(part, () => resolve()));
  const reached = async () => answer !== '' || ((await importOf(importKey))?.rows ?? 0) >= rows;
  await expect.poll(reached).toBe(true);
  if (answer === '') {
    socket.destroy();
    return true;
  }
  await closed;
  if (!/^HTTP\/1\.1 503 | is under way/.test(answer)) throw new Error(answer);
  return false;
}

const importOf = async (importKey: string) => {
  const path = `${documents}/import?idempotency_key=${importKey}`;
  const [found] = await must(call<Import[]>(kit, { method: 'GET', path, as }));
  return found;
};

test.each(['upsert', 'create', 'emplace'])(
  'an upload (%s) that is cut off at 20 places and sent again each time is in once, row by row',
  async (action) => {
    const random = new RandomNumbers(Number(process.env['CUT_SEED'] ?? 1));
    const rows = rowsOf(action);
    const body = Buffer.from(rows.join('\n'));
    const path = `${documents}/import?action=${action}`;
    let furthest = 0;
    for (let cut = 0; cut < 20; cut += 1) {
      const part = body.subarray(0, random.between(0, body.length - 1));
      const whole = Math.floor(part.toString().split('\n').length / batchRows) - 1;
      const cutAt = { body, part, rows: random.between(0, Math.max(0, whole)) * batchRows };
      while (!(await cutUpload(path, action, cutAt)));
      // It was noticed, and what it had begun has ended; one that was cut in its head never began.
      let done = 0;
      const stateOf = async () => {
        const found = await importOf(action);
        done = found?.rows ?? 0;
        return found?.state ?? 'interrupted';
      };
      await expect.poll(stateOf).toBe('interrupted');
      expect(done).toBeGreaterThanOrEqual(furthest);
      furthest = done;
    }
    expect(furthest).toBeGreaterThan(0);
    const headers = { 'content-type': 'application/x-ndjson', 'idempotency-key': action };
    const whole = async () =>
      call<ImportSummary>(kit, { method: 'POST', path, body: rows.join('\n'), as, headers });
    await expect.poll(async () => (await whole()).status).toBe(200);
    const { body: summary } = await whole();
    expect(summary.succeeded).toBe(rows.length);
    const exported = await call<string>(kit, {
      method: 'GET',
      path: `${documents}/export?filter_by=${encodeURIComponent(`token:${action}`)}`,
      as,
    });
    const stored = exported.body
      .trim()
      .split('\n')
      .map((line): { id: string; token: string } => JSON.parse(line));
    const byToken = new Map(stored.map(({ id, token }) => [token, id]));
    expect(stored).toHaveLength(rows.length);
    // Each row's answer names the document that bears its token.
    expect(summary.results.map(({ id }) => id)).toEqual(rows.map((_, i) => byToken.get(`${action} ${i}`)));
    expect((await whole()).body).toEqual(summary);
  },
);
