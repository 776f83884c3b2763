import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ByteShares, Held } from '#server/admission/byte-shares.ts';
import { createLocalHost } from '#server/indexes/host/local-host.ts';
import { limits } from '#shared/limits.ts';
import { call, createTenant, must, origin, type SignedUp } from '../testing/callers.ts';
import { administer } from '../testing/databases.ts';
import { type Kit, startKit } from '../testing/kit.ts';
import { listen } from './node-server.ts';
import { requesterOf } from './turn-away/requester-of.ts';

/** What requests hold in memory together: bodies on their way in, and answers until they are out. */

const answerBytesMax = 200_000;
const documentBytes = 30_000;
let kit: Kit;
let owner: SignedUp;
let key: string;
let tenant: string;

beforeAll(async () => {
  kit = await startKit({ settings: { answerBytesMax }, host: createLocalHost() });
  const made = await createTenant(kit);
  owner = made.owner;
  key = made.key.key;
  const principal = await kit.deps.auth.authenticateKey(key, '192.0.2.1');
  ({ tenant } = requesterOf(principal, '192.0.2.1'));
  const rows = Array.from({ length: 6 }, (_, i) => ({ id: `d${i}`, text: 'x'.repeat(documentBytes) }));
  const path = '/api/collections/things/documents/import';
  await must(call(kit, { method: 'POST', path, body: rows, as: { key } }));
});
afterAll(() => kit.close());

const documents = '/api/collections/things/documents';
const get = (path: string) => call<object>(kit, { method: 'GET', path, as: { key } });
const write = (text: string) =>
  call<object>(kit, { method: 'POST', path: documents, body: { id: 'new', text }, as: { key } });

function expectComeAgain({ status, body, headers }: Awaited<ReturnType<typeof get>>): void {
  expect(status).toBe(503);
  // tRPC has it in a place of its own.
  const told = 'error' in body ? { error: { data: { appCode: 'UNAVAILABLE' } } } : { code: 'UNAVAILABLE' };
  expect(body).toMatchObject(told);
  expect(headers.get('retry-after')).toBe('1');
}

/** Holds as much of it as one tenant may. */
function fill(shares: ByteShares, of: string, most: number): Held {
  const held = shares.hold(of);
  held.add(most / 2);
  return held;
}

describe('bodies', () => {
  test('are counted from their arrival to the end of the request, whatever its outcome', async () => {
    const { bodies } = kit.deps.memory;
    let most = 0;
    const piece = new TextEncoder().encode(`${' '.repeat(65_536)}`);
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        most = Math.max(most, bodies.heldBytes);
        if (sent++ < 4) controller.enqueue(piece);
        else controller.error(new Error('the sender is gone'));
      },
    });
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    expect((await kit.app.request(`${origin}${documents}`, init)).status).toBe(400);
    expect(most).toBeGreaterThanOrEqual(3 * piece.length);
    expect((await write('x'.repeat(100_000))).status).toBe(201);
    expect(bodies.heldBytes).toBe(0);
  });

  test('of a batch that is answered in parts count until the last call is over', async () => {
    const { bodies } = kit.deps.memory;
    const body = JSON.stringify({ 0: {}, 1: { per_page: 1 } });
    const server = await listen(kit.app, { ...kit.deps.settings, port: 0 }, kit.deps.log);
    const headers = {
      'x-api-key': key,
      'content-type': 'application/json',
      'trpc-accept': 'application/jsonl',
    };
    const response = await administer(kit.deps.settings.databaseUrl ?? '', (other) =>
      other.begin(async (tx) => {
        await tx`lock table projects in access exclusive mode`;
        const path = '/trpc/auth.me,collections.list?batch=1';
        const begun = await fetch(server.url + path, { method: 'POST', headers, body });
        expect(begun.status).toBe(200);
        expect(bodies.heldBytes).toBe(body.length);
        return begun;
      }),
    );
    expect(await response.text()).toContain('"things"');
    await expect.poll(() => bodies.heldBytes).toBe(0);
    await server.close({ graceMs: 1_000, keptAliveMs: 0 });
  });

  test.each([
    ['small', 10],
    ['large', 100_000],
  ])(
    'a %s one beyond what its workspace may hold is refused, and another workspace is not',
    async (_, characters) => {
      const { bodies } = kit.deps.memory;
      const own = fill(bodies, tenant, limits.bodiesBytesMax);
      expectComeAgain(await write('x'.repeat(characters)));
      own.release();
      const others = fill(bodies, 'another', limits.bodiesBytesMax);
      expect((await write('x'.repeat(characters))).status).toBe(200);
      others.release();
      expect(bodies.heldBytes).toBe(0);
    },
  );
});

test('uploads of synonyms, which are kept until all of one has come, are bodies too', async () => {
  const { bodies } = kit.deps.memory;
  const path = '/api/collections/things/synonyms/import';
  const body = Array.from({ length: 100 }, (_, i) => ({ id: `s${i}`, synonyms: ['x'.repeat(90), 'y'] }));
  const upload = () => call<object>(kit, { method: 'POST', path, body, as: { key } });
  const own = fill(bodies, tenant, limits.bodiesBytesMax);
  expectComeAgain(await upload());
  own.release();
  expect((await upload()).status).toBe(200);
  expect(bodies.heldBytes).toBe(0);
});

describe('answers', () => {
  const list = `${documents}?per_page=4`;
  const trpc = `/trpc/documents.list?input=${encodeURIComponent('{"collection":"things","per_page":4}')}`;

  test.each([
    ['a list', list],
    ['a list over tRPC', trpc],
    ['an export', `${documents}/export`],
  ])('%s beyond what its workspace may hold is refused, and another workspace is not', async (_, path) => {
    const { answers } = kit.deps.memory;
    const own = fill(answers, tenant, limits.answersBytesMax);
    expectComeAgain(await get(path));
    own.release();
    if (!path.endsWith('export')) {
      const others = fill(answers, 'another', limits.answersBytesMax);
      expect((await get(path)).status).toBe(200);
      others.release();
    }
    expect(answers.heldBytes).toBe(0);
  });

  test.each([
    ['written', 'POST', '', { id: 'd0', text: 'new' }],
    ['replaced', 'PUT', '/d0', { text: 'y'.repeat(documentBytes) }],
    ['changed', 'PATCH', '/d0', { more: 1 }],
    ['deleted', 'DELETE', '/d0', undefined],
  ])('a document that has no room in the answer is not %s', async (_, method, path, body) => {
    const { answers } = kit.deps.memory;
    const read = () => call<object>(kit, { method: 'GET', path: `${documents}/d0`, as: { key } });
    const before = (await read()).body;
    const own = answers.hold(tenant);
    const needed = method === 'POST' ? 0 : documentBytes;
    own.add(limits.answersBytesMax / 2 - limits.answerBytesMin / 2 - needed / 2);
    expectComeAgain(await call<object>(kit, { method, path: documents + path, body, as: { key } }));
    own.release();
    expect(answers.heldBytes).toBe(0);
    expect((await read()).body).toEqual(before);
  });

  test.each([
    ['REST', '/api/collections'],
    ['tRPC', '/trpc/collections.list'],
  ])('what the console lists over %s is counted too', async (_, path) => {
    const { answers } = kit.deps.memory;
    const principal = { kind: 'user', userId: owner.user.id, sessionId: '', isConfirmed: true } as const;
    const own = fill(answers, requesterOf(principal, '192.0.2.1').tenant, limits.answersBytesMax);
    expectComeAgain(await call<object>(kit, { method: 'GET', path, as: owner.as }));
    own.release();
    expect((await call<object>(kit, { method: 'GET', path, as: owner.as })).status).toBe(200);
    expect(answers.heldBytes).toBe(0);
  });

  test('the documents that a question is answered from are counted until it is', async () => {
    const { answers } = kit.deps.memory;
    const text = `The lighthouse of Ushant is kept by Yann. ${'x '.repeat(512 * 1024)}`;
    const document = { id: 'long', text };
    await must(call(kit, { method: 'POST', path: documents, body: document, as: { key } }));
    const body = { message: 'Who keeps the lighthouse of Ushant?', context_limit: 1 };
    const ask = () =>
      call<object>(kit, { method: 'POST', path: '/api/collections/things/chat', body, as: { key } });
    const own = answers.hold(tenant);
    own.add(limits.answersBytesMax / 2 - limits.chatAnswerBytesMax);
    expectComeAgain(await ask());
    own.release();
    expect((await ask()).status).toBe(200);
    expect(answers.heldBytes).toBe(0);
  });

  test('several searches of one request are counted as they come; what has no room fails in its place', async () => {
    const { answers } = kit.deps.memory;
    const own = answers.hold(tenant);
    // What is left is enough for one document.
    own.add(limits.answersBytesMax / 2 - 40_000);
    const search = { collection: 'things', query: '*', per_page: 1 };
    const path = '/api/multi-search';
    const body = { searches: Array.from({ length: 6 }, () => search) };
    const { results } = await must(
      call<{ results: ({ hits: object[] } | { error: { code: string } })[] }>(kit, {
        method: 'POST',
        path,
        body,
        as: { key },
      }),
    );
    const codes = results.map((result) => ('error' in result ? result.error.code : 'found'));
    expect(codes.filter((code) => code === 'found')).toHaveLength(1);
    expect(codes.filter((code) => code === 'UNAVAILABLE')).toHaveLength(5);
    own.release();
    expect(answers.heldBytes).toBe(0);
  });
});
