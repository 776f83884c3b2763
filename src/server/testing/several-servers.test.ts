import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ApiKey } from '#shared/api-keys.ts';
import type { Import } from '#shared/documents.ts';
import { call, createTenant, must, origin, type SignedUp, signIn } from './callers.ts';
import { type Kit, startKit } from './kit.ts';

/** Two servers on one record, as they run where a cluster has the indexes. None is there: what these say needs no index. */
let one: Kit;
let two: Kit;
beforeAll(async () => {
  const settings = { openSearch: { nodes: ['http://127.0.0.1:1'] }, loginFreeTries: 3 };
  one = await startKit({ settings });
  two = await startKit({ beside: one, settings });
});
afterAll(async () => {
  await two.close();
  await one.close();
});

let owner: SignedUp;
let key: ApiKey;
beforeEach(async () => {
  ({ owner, key } = await createTenant(one));
});

test('a server with another secret does not start beside them', async () => {
  const settings = { appSecret: 'another secret for tests, long enough to be one' };
  await expect(startKit({ beside: one, settings })).rejects.toThrow('APP_SECRET is not that of the other');
});

test('who signs in at one is signed in at the other, and out at both', async () => {
  const { as } = await signIn(one, owner.user);
  const ask = async () => (await call(two, { method: 'GET', path: '/api/auth/me', as })).status;
  expect(await ask()).toBe(200);
  await must(call(one, { method: 'POST', path: '/api/auth/logout', body: {}, as }));
  await expect.poll(ask).toBe(401);
});

test('a key that is switched off at one is refused by the other, which knew it', async () => {
  const ask = async () =>
    (await call(two, { method: 'GET', path: '/api/collections/things/documents/import', as: key })).status;
  expect(await ask()).toBe(200);
  await must(
    call(one, { method: 'PUT', path: `/api/api-keys/${key.id}`, body: { isActive: false }, as: owner.as }),
  );
  await expect.poll(ask).toBe(401);
});

test('wrong passwords at one count at the other', async () => {
  const guess = async (by: Kit) => {
    const body = { email: owner.user.email, password: 'a wrong password' };
    return (await call(by, { method: 'POST', path: '/api/auth/login', body })).status;
  };
  for (let i = 0; i < 3; i += 1) expect(await guess(one)).toBe(401);
  // The fourth is to wait for a second, which is not over however long it takes to come.
  await one.deps.record.sql`update wrong_passwords set tried_at = now() + interval '1 hour'`;
  expect(await guess(two)).toBe(429);
});

/** An upload through a server, whose rows come as they are sent. */
function upload(by: Kit, idempotencyKey: string | null) {
  let send: (text: string | null) => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      send = (text) => (text === null ? controller.close() : controller.enqueue(Buffer.from(text)));
    },
  });
  const answer = Promise.resolve(
    by.app.request(`${origin}/api/collections/things/documents/import`, {
      method: 'POST',
      headers: {
        host: 'localhost',
        'x-api-key': key.key,
        'content-type': 'application/x-ndjson',
        ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
      },
      body,
      duplex: 'half',
    } as RequestInit),
  ).then(async (response) => ({ status: response.status, text: await response.text() }));
  return { send, answer };
}

const importsAt = (by: Kit) =>
  must(call<Import[]>(by, { method: 'GET', path: '/api/collections/things/documents/import', as: key }));
const statesAt = async (by: Kit) => (await importsAt(by)).map(({ state }) => state);

test('an import at one is under way for the other too, which tells how far it is, and cancels it', async () => {
  const { send, answer } = upload(one, null);
  send('{"id":"a"}\n');
  await expect.poll(() => statesAt(two)).toEqual(['running']);
  const [own] = await importsAt(two);
  const path = `/api/collections/things/documents/import/${own?.id}`;
  const canceled = await must(call<Import>(two, { method: 'DELETE', path, as: key }));
  expect(canceled).toMatchObject({ state: 'canceled', error: 'This import was canceled' });
  expect(canceled.endedAt).not.toBeNull();
  for (const by of [one, two]) expect(await statesAt(by)).toEqual(['canceled']);
  expect((await answer).text).toContain('canceled');
});

test('an upload with a key that goes on at one is not begun again at the other, and is once it is over', async () => {
  const first = upload(one, 'monday');
  first.send('{"id":"a"}\n');
  await expect.poll(() => statesAt(one)).toEqual(['running']);
  const second = upload(two, 'monday');
  second.send(null);
  expect(await second.answer).toMatchObject({ status: 409 });
  first.send(null);
  await first.answer;
  const third = upload(two, 'monday');
  third.send(null);
  expect((await third.answer).status).toBe(200);
});

test('of two uploads with a new key that come to both at once, one goes on', async () => {
  const uploads = [upload(one, 'tuesday'), upload(two, 'tuesday')];
  for (const { send } of uploads) send('{"id":"a"}\n');
  const refused = await Promise.race(uploads.map(({ answer }) => answer));
  expect(refused.status).toBe(409);
  expect(await statesAt(one)).toEqual(['running']);
  expect(await statesAt(two)).toEqual(['running']);
  for (const { send } of uploads) send(null);
  await Promise.all(uploads.map(({ answer }) => answer));
});

test('an import whose server is gone was cut off, and goes on where it is sent again', async () => {
  const first = upload(one, 'wednesday');
  first.send('{"id":"a"}\n');
  await expect.poll(() => statesAt(two)).toEqual(['running']);
  // As a server leaves it that was killed: nobody has its number.
  await one.deps.record.sql`update imports set server = 1 where key = 'wednesday'`;
  expect(await statesAt(two)).toEqual(['interrupted']);
  const second = upload(two, 'wednesday');
  second.send('{"id":"a"}\n');
  await expect.poll(() => statesAt(two)).toEqual(['running']);
  for (const { send } of [first, second]) send(null);
  await Promise.all([first.answer, second.answer]);
});

test('the stream of one tells of imports at the other', async () => {
  const gone = new AbortController();
  const response = await two.app.request(`${origin}/api/live`, {
    headers: { host: 'localhost', ...owner.as },
    signal: gone.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let told = '';
  const reading = (async () => {
    for (;;) {
      const read = await reader?.read();
      if (!read || read.done) return;
      told += read.value;
    }
  })();
  await expect.poll(() => told).toContain('event: ready');
  const { send, answer } = upload(one, null);
  send('{"id":"a"}\n');
  send(null);
  await answer;
  await expect.poll(() => told).toContain('"noun":"imports"');
  await reader?.cancel();
  await reading;
});
