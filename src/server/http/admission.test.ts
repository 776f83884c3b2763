import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type Answer,
  call,
  createKey,
  createTenant,
  must,
  origin,
  type SignedUp,
} from '../testing/callers.ts';
import { heldSearches } from '../testing/held-searches.ts';
import { type Kit, startKit } from '../testing/kit.ts';

/** Who has too much under way is turned away before anything is done for it, and nobody else is. */
const perCaller = 3;
const perWorkspace = 4;
let kit: Kit;
let owner: SignedUp;
let key: string;
let otherKey: string;
let strangersKey: string;
const held = heldSearches();

async function tenant(): Promise<{ owner: SignedUp; keys: string[] }> {
  const { owner: signedUp, project, key: first } = await createTenant(kit);
  const second = await createKey(kit, signedUp, { projectId: project.id });
  const body = [{ title: 'river' }, { title: 'river' }];
  const path = '/api/collections/things/documents/import';
  await must(call(kit, { method: 'POST', path, body, as: first }));
  return { owner: signedUp, keys: [first.key, second.key] };
}

beforeAll(async () => {
  const settings = { requestsPerCaller: perCaller, requestsPerWorkspace: perWorkspace };
  kit = await startKit({ database: 'bundled', host: held.host, settings });
  const first = await tenant();
  owner = first.owner;
  [key = '', otherKey = ''] = first.keys;
  [strangersKey = ''] = (await tenant()).keys;
});
afterAll(() => kit.close());

beforeEach(() => held.hold());

const search = (as: { key: string } | { cookie: string }) =>
  call<{ found: number; code?: string }>(kit, {
    method: 'POST',
    path: '/api/collections/things/search',
    body: { query: 'river' },
    as,
  });

/** Searches that wait at the engine. */
const underWay = (count: number, as: { key: string }) => held.start(count, () => search(as));

function expectTurnedAway({ status, body, headers }: Answer<{ code?: string }>): void {
  expect(status).toBe(429);
  expect(body.code).toBe('TOO_MANY_REQUESTS');
  expect(headers.get('retry-after')).toBe('1');
}

test('a key with as many searches under way as it may have is turned away, its body unread; others are not', async () => {
  const searches = await underWay(perCaller, { key });
  let pulls = 0;
  const countPull = () => {
    pulls += 1;
  };
  const body = new ReadableStream({ pull: countPull }, { highWaterMark: 0 });
  const response = await kit.app.request(`${origin}/api/collections/things/search`, {
    method: 'POST',
    headers: { host: 'localhost', 'content-type': 'application/json', 'x-api-key': key },
    body,
    duplex: 'half',
  } as RequestInit);
  const headers = response.headers;
  expectTurnedAway({ status: response.status, headers, body: (await response.json()) as { code: string } });
  expect(pulls).toBe(0);
  expect(held.arrived()).toBe(perCaller);

  // One more of the workspace, by its other key; then that has enough, too.
  const [other] = await underWay(1, { key: otherKey });
  expectTurnedAway(await search({ key: otherKey }));
  const [strangers] = await underWay(1, { key: strangersKey });
  held.release();
  for (const answer of await Promise.all([...searches, other, strangers])) {
    expect(answer).toMatchObject({ status: 200, body: { found: expect.any(Number) } });
  }
  expect((await search({ key })).status).toBe(200);
});

test('what a search waits for does not keep a write away', async () => {
  const searches = await underWay(perCaller, { key });
  const path = '/api/collections/things/documents';
  const write = await call(kit, { method: 'POST', path, body: { id: 'w', title: 'sea' }, as: { key } });
  expect(write.status).toBeLessThan(300);
  held.release();
  for (const answer of await Promise.all(searches)) expect(answer.status).toBe(200);
});

test('over tRPC it is told in its form, and the body is not parsed', async () => {
  const path = '/trpc/search.keyword';
  const body = JSON.stringify({ collection: 'things', query: 'river' });
  const asked = (text: string) => call<never>(kit, { method: 'POST', path, body: text, as: owner.as });
  const searches = await held.start(perCaller, () => asked(body));
  const { status, headers, body: told } = await asked('{ this is not JSON');
  expect(status).toBe(429);
  expect(headers.get('retry-after')).toBe('1');
  expect(told).toMatchObject({ error: { data: { appCode: 'TOO_MANY_REQUESTS', retryAfterSeconds: 1 } } });
  held.release();
  for (const answer of await Promise.all(searches)) expect(answer.status).toBe(200);
  expect((await asked(body)).status).toBe(200);
});

test('an export is under way until it was read or given up', async () => {
  const start = () =>
    kit.app.request(`${origin}/api/collections/things/documents/export`, {
      headers: { host: 'localhost', 'x-api-key': key },
    });
  const exports = await Promise.all(Array.from({ length: perCaller }, start));
  expect(exports.map(({ status }) => status)).toEqual(Array.from({ length: perCaller }, () => 200));
  expect((await start()).status).toBe(429);
  expect(await exports[0]?.text()).toContain('"river"}\n');
  const again = await start();
  expect(again.status).toBe(200);
  await exports[1]?.body?.cancel();
  await exports[2]?.body?.cancel();
  await again.body?.cancel();
  for (let i = 0; i < 2 * perCaller; i += 1) {
    const next = await start();
    expect(next.status).toBe(200);
    await next.text();
  }
});

test('an export of which only the head is asked for is over with it', async () => {
  const head = () =>
    kit.app.request(`${origin}/api/collections/things/documents/export`, {
      method: 'HEAD',
      headers: { host: 'localhost', 'x-api-key': key },
    });
  for (let i = 0; i < 2 * perCaller; i += 1) {
    const answer = await head();
    expect([answer.status, answer.body]).toEqual([200, null]);
  }
});

test('who is refused, or hangs up, has nothing under way any more', async () => {
  held.release();
  for (let i = 0; i < 2 * perCaller; i += 1) {
    const path = '/api/collections/things/search?filter_by=((';
    expect((await call(kit, { method: 'GET', path, as: { key } })).status).toBe(400);
    const caller = new AbortController();
    held.hold();
    const [gone] = await held.start(1, () =>
      kit.app.request(`${origin}/api/collections/things/search?q=river`, {
        headers: { host: 'localhost', 'x-api-key': key },
        signal: caller.signal,
      }),
    );
    caller.abort();
    held.release();
    await Promise.resolve(gone).catch(() => undefined);
  }
  expect((await search({ key })).status).toBe(200);
});
