import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { MarkedValues } from '#server/wire/json-text.ts';
import type { Collection } from '#shared/collections.ts';
import type { ErrorBody } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';
import {
  type Answer,
  type Credentials,
  call,
  createCollection,
  createKey,
  createProject,
  type SignedUp,
  signUp,
} from '../testing/callers.ts';
import { type Kit, startKit } from '../testing/kit.ts';

/** What people send who mean no good, or whose program is broken, over `app.request`; `socket.test.ts` has what needs a socket. */
let kit: Kit;
let owner: SignedUp;
let things: Collection;
let key: string;
let readKey: string;

beforeAll(async () => {
  kit = await startKit();
  owner = await signUp(kit);
  const project = await createProject(kit, owner);
  things = await createCollection(kit, owner, { projectId: project.id, dimension: 8 });
  ({ key } = await createKey(kit, owner, { projectId: project.id }));
  ({ key: readKey } = await createKey(kit, owner, { projectId: project.id, permissions: ['read'] }));
});

afterAll(async () => {
  expect(kit.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  await kit.close();
});

const documents = '/api/collections/things/documents';

function send(request: {
  method?: string;
  path?: string;
  body?: unknown;
  headers?: Record<string, string>;
  as?: Credentials;
}) {
  return call<ErrorBody>(kit, { method: 'POST', path: documents, as: { key }, ...request });
}

function expectError(answer: Answer<ErrorBody>, status: number): ErrorBody {
  expect({ status: answer.status, body: answer.body }).toMatchObject({
    status,
    body: { message: expect.any(String), code: expect.any(String), requestId: expect.any(String) },
  });
  return answer.body;
}

describe('bodies', () => {
  test.each<[what: string, body: string, path: string]>([
    ['broken JSON', '{"a":', ''],
    ['trailing garbage', '{"a":1}}', ''],
    ['NaN', '{"a":NaN}', ''],
    ['a number that becomes Infinity', '{"a":{"b":1e400}}', 'a.b'],
    ['5,000 levels', `${'['.repeat(5_000)}${']'.repeat(5_000)}`, ''],
    ['a key of 64 KB', `{"${'k'.repeat(65_536)}":1}`, ''],
    ['__proto__', '{"__proto__":{"admin":true}}', '__proto__'],
    ['constructor further in', '{"a":[{"constructor":1}]}', 'a.0.constructor'],
    ['prototype, escaped', '{"a":{"proto\\u0074ype":1}}', 'a.prototype'],
    ['U+0000', '{"a":"x\\u0000"}', 'a'],
    ['half a surrogate pair', '{"a":"\\ud800"}', 'a'],
    ['a wrong dimension', '{"embedding":[1,2,3]}', 'embedding'],
    ['a vector that is no vector', '{"embedding":["x",0,0,0,0,0,0,0]}', 'embedding.0'],
    ['an id beyond 2^53', '{"id":9007199254740993}', 'id'],
    ['an array', '[{"a":1}]', ''],
    ['text', '"a"', ''],
    ['nothing', '', ''],
  ])('%s is a 400 that says where', async (_, body, path) => {
    const error = expectError(await send({ body }), 400);
    expect(error.details?.[0]?.path).toBe(path);
    expect(error.details?.[0]?.message).not.toBe('');
  });

  test('the position of a fault is named', async () => {
    const error = expectError(await send({ body: '{"a" 1}' }), 400);
    expect(error.details?.[0]?.position).toBe(5);
  });

  test('bytes that are not UTF-8', async () => {
    const answer = await kit.app.request(documents, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: Buffer.concat([Buffer.from('{"a":"'), Buffer.of(0xff), Buffer.from('"}')]),
    });
    expect(answer.status).toBe(400);
  });

  test('a byte order mark is accepted', async () => {
    expect((await send({ body: '\uFEFF{"id":"bom"}' })).status).toBe(201);
    expectError(await send({ body: '\uFEFF\uFEFF{"id":"boms"}' }), 400);
    const headers = { 'content-type': 'application/x-ndjson' };
    const lines = (body: string) => send({ path: `${documents}/import`, body, headers });
    expect((await lines('\uFEFF{"id":"bom"}')).status).toBe(200);
    expect((await lines('\uFEFF\uFEFF{"id":"boms"}')).status).toBe(400);
  });

  test('over the limit: refused by its announced length, and while reading when none is announced', async () => {
    const body = 'x'.repeat(limits.jsonBodyBytesMax + 1);
    const announced = await send({ body: '{}', headers: { 'content-length': String(body.length) } });
    expectError(announced, 413);
    expectError(await send({ body }), 413);
  });

  test.each<[path: string, bytesMax: number]>([
    ['/api/collections/things/search', limits.searchBodyBytesMax],
    ['/api/collections/things/similar', limits.searchBodyBytesMax],
    ['/api/multi-search', limits.multiSearchBodyBytesMax],
    ['/api/collections', limits.otherBodyBytesMax],
    ['/trpc/search.hybrid', limits.searchBodyBytesMax],
    ['/trpc/search.multi', limits.multiSearchBodyBytesMax],
    ['/trpc/search.keyword,search.keyword?batch=1', 2 * limits.searchBodyBytesMax],
    ['/trpc/documents.write,documents.write?batch=1', limits.jsonBodyBytesMax],
  ])('%s takes %i bytes, announced or not', async (path, bytesMax) => {
    const body = ' '.repeat(bytesMax);
    expectError(await send({ path, body: `${body}{}` }), 413);
    const headers = { 'content-length': String(bytesMax + 1) };
    expectError(await send({ path, body: '{}', headers }), 413);
    expect((await send({ path, body })).status).toBe(400);
  });

  test.each<[path: string, before: string, valuesMax: number]>([
    ['/api/collections/things/search', '{"query":"x","q":', limits.searchValuesMax],
    ['/api/multi-search', '{"searches":', limits.multiSearchValuesMax],
    ['/api/collections', '{"name":', limits.otherValuesMax],
    [documents, '{"a":', limits.jsonValuesMax],
    ['/trpc/search.hybrid', '{"query":', limits.searchValuesMax],
    ['/trpc/documents.write', '{"document":', limits.jsonValuesMax],
  ])('%s is told how many values it may have', async (path, before, valuesMax) => {
    const many = await send({ path, body: `${before}[${'[],'.repeat(valuesMax / 2)}]}` });
    expect(expectError(many, 400).message).toBe(`More than ${valuesMax} values`);
    const fewer = await send({ path, body: `${before}[${'1,'.repeat(valuesMax - 100)}1]}` });
    expect(fewer.body).not.toMatchObject({ message: expect.stringContaining('More than') });
  });

  test('a search with a vector of 4,096 numbers fits in any way', async () => {
    const vector_query = Array.from({ length: limits.dimensionMax }, (_, i) => -1 / (i + 3));
    const search = { collection: 'things', query: 'x', mode: 'hybrid', vector_query };
    const { mode: _, collection: __, ...alone } = search;
    const one = await send({ path: '/api/collections/things/hybrid-search', body: alone });
    expect(expectError(one, 400).message).toContain('must have 8 numbers');
    const searches = Array.from({ length: limits.multiSearchMax }, () => search);
    expect((await send({ path: '/api/multi-search', body: { searches } })).status).toBe(200);
  });

  test('thousands of faults are told by the first hundred', async () => {
    const body = {
      searches: [
        {
          collection: 'things',
          ...Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`k${i}`, 1])),
        },
      ],
    };
    const { results } = (await send({ path: '/api/multi-search', body })).body as unknown as {
      results: { error: ErrorBody }[];
    };
    expect(results[0]?.error.details).toHaveLength(limits.errorDetailsMax);
    const tooMany = await send({
      path: '/api/multi-search',
      body: { searches: Array.from({ length: 100_000 }, () => 1) },
    });
    expect(expectError(tooMany, 400).details).toHaveLength(1);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''])(
    'as %j it is a 415, over REST and tRPC',
    async (type) => {
      const headers = { 'content-type': type };
      expectError(await send({ body: '{"a":1}', headers }), 415);
      expectError(await send({ path: '/trpc/collections.create', body: '{"a":1}', headers }), 415);
      expectError(await send({ path: `${documents}/import`, body: '[]', headers }), 415);
    },
  );

  test.each([
    ['gzip', 400],
    ['br', 415],
    ['gzip, gzip', 415],
    ['deflate', 415],
  ])('that says it is %s-encoded and is not is a %d that names the header', async (encoding, status) => {
    const headers = { 'content-encoding': encoding };
    for (const path of [documents, '/trpc/collections.create', `${documents}/import`]) {
      const error = expectError(await send({ path, body: '[]', headers }), status);
      expect(error.message).toContain('Content-Encoding');
    }
  });

  test('a word of a megabyte is stored whole; NFC and NFD find the same', async () => {
    const word = 'x'.repeat(2 ** 20);
    expect((await send({ body: { id: 'giant', word } })).status).toBe(201);
    const stored = await send({ method: 'GET', path: `${documents}/giant` });
    expect(stored.body).toEqual({ id: 'giant', word });
    expect((await send({ body: { id: 'nfc', word: 'Zoë\u0301Ångström' } })).status).toBe(201);
    for (const form of ['NFC', 'NFD']) {
      const query = encodeURIComponent('Zoë\u0301Ångström'.normalize(form));
      const path = `/api/collections/things/search?query=${query}`;
      expect((await send({ method: 'GET', path })).body, form).toMatchObject({ hits: [{ id: 'nfc' }] });
    }
  });

  test('over tRPC they are read as strictly', async () => {
    for (const body of ['{"a":', '{"__proto__":1}', '{"a":1e999}', '{"a":"\\u0000"}']) {
      expectError(await send({ path: '/trpc/collections.create', body }), 400);
      const path = `/trpc/collections.get?input=${encodeURIComponent(body)}`;
      expectError(await send({ method: 'GET', path }), 400);
    }
  });
});

describe('ids', () => {
  test.each([
    'a/b',
    'a%2Fb',
    '100%',
    'a b',
    'a?b#c',
    '..x',
    'ünï/日本',
    'import',
    'export',
    '%',
    '"\'`',
    'a\\b',
    '+',
  ])('%j makes the round trip, URL-encoded', async (id) => {
    const ours: Record<string, string> = { export: '%65xport', import: '%69mport' };
    const path = `${documents}/${ours[id] ?? encodeURIComponent(id)}`;
    const put = await send({ method: 'PUT', path, body: { kind: id } });
    expect(put.status).toBe(201);
    const get = await send({ method: 'GET', path });
    expect({ status: get.status, body: get.body }).toEqual({ status: 200, body: { id, kind: id } });
    expect((await send({ method: 'DELETE', path })).status).toBe(200);
    expectError(await send({ method: 'GET', path }), 404);
  });

  test.each(['%zz', '%', '%e0%a4'])('%s is not URL encoding: 400', async (segment) => {
    expectError(await send({ method: 'GET', path: `${documents}/${segment}` }), 400);
  });

  test.each(['%00', 'a%00b', '%00/version'])('%s is no id of a document: 400', async (tail) => {
    const answer = await send({ method: 'GET', path: `${documents}/${tail}` });
    expect(expectError(answer, 400).details?.[0]?.path).toBe('id');
  });

  test('of collections: numbers that no row has, odd names', async () => {
    for (const name of ['0', '-1', '99999999999999999999', '%00', 'a%2Fb', '%F0%9F%98%80', 'x'.repeat(500)]) {
      expectError(await send({ method: 'GET', path: `/api/collections/${name}` }), 404);
    }
  });
});

describe('parameters', () => {
  test.each([
    ['search?per_page=251', 'per_page'],
    ['search?page=-1', 'page'],
    ['vector-search?k=1000000000', 'k'],
    ['hybrid-search?alpha=2', 'alpha'],
    ['search?nonsense=1', 'nonsense'],
    ['search?query=a&query=b', 'query'],
    ['search?query=%00', 'query'],
    ['documents?per_page=0', 'per_page'],
    ['search?query=*&filter_by=price:[1', 'filter_by'],
    [`search?query=*&filter_by=${'('.repeat(2_000)}`, 'filter_by'],
  ])('%s is a 400 about %s', async (tail, path) => {
    const answer = await send({ method: 'GET', path: `/api/collections/things/${tail}` });
    expect(expectError(answer, 400).details?.[0]?.path).toBe(path);
  });

  test('lists may be repeated', async () => {
    const path = '/api/collections/things/search?query=*&include_fields=a&include_fields=b';
    expect((await send({ method: 'GET', path })).status).toBe(200);
  });

  test('1,000 of them, and ones that are not URL encoding', async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => `p${index}=1`).join('&');
    expectError(await send({ method: 'GET', path: `${documents}?${many}` }), 400);
    expectError(await send({ method: 'GET', path: `${documents}?filter_by=%ff` }), 400);
  });

  test.each([0, 4_097, 1.5, 'many'])('a dimension of %j', async (dimension) => {
    const body = { name: 'bad', dimension };
    const error = expectError(await send({ path: '/api/collections', body }), 400);
    expect(error.details?.[0]?.path).toBe('dimension');
  });

  test('query parameters of a call that takes none, and a body that says what the path says', async () => {
    expectError(await send({ path: '/api/collections/things/search?query=x', body: {} }), 400);
    expectError(await send({ path: '/api/collections/things/search', body: { collection: 'other' } }), 400);
  });

  test.each([
    '[1,null,0,0,0,0,0,0]',
    'null',
    'true',
    '{"vector":["a"]}',
    '["NaN"]',
    '[1e39,0,0,0,0,0,0,0]',
    '[1]',
  ])('a query vector %s is a 400 that says what it must be', async (vector) => {
    const path = '/api/collections/things/vector-search';
    const error = expectError(await send({ path, body: `{"query":"a","vector_query":${vector}}` }), 400);
    expect(error.message).toMatch(/^vector_query.*must /);
  });

  test.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+23:59', '9999-12-31T23:59:59-23:59', '2026-01-01'])(
    'a key that expires at %s, which no row can hold, is a 400',
    async (expiresAt) => {
      const body = { name: 'odd', projectId: things.projectId, expiresAt };
      const error = expectError(await send({ path: '/api/api-keys', body, as: owner.as }), 400);
      expect(error.details?.[0]?.path).toBe('expiresAt');
    },
  );

  test('51 searches in one request; one that fails among others', async () => {
    const search = { collection: 'things', query: '*' };
    const path = '/api/multi-search';
    expectError(await send({ path, body: { searches: Array.from({ length: 51 }, () => search) } }), 400);
    const mixed = await send({ path, body: { searches: [search, { collection: 'none' }, search] } });
    expect(mixed.status).toBe(200);
    expect(mixed.body).toMatchObject({
      results: [{ found: expect.any(Number) }, { error: { code: 'NOT_FOUND' } }, {}],
    });
  });
});

describe('who calls', () => {
  const path = '/api/collections/things';
  const attempt = (headers: Record<string, string>, url = path) =>
    call<ErrorBody>(kit, { method: 'GET', path: url, headers });

  test('no key, an empty, a malformed, a mistyped and an unknown one', async () => {
    const mistyped = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
    for (const given of ['', 'x', mistyped, 'vk_aaaaaaaaaaaaaaaaaaaaaaaa_000000']) {
      expectError(await attempt({ 'x-api-key': given }), 401);
      expectError(await attempt({ authorization: `Bearer ${given}` }), 401);
    }
    expectError(await attempt({}), 401);
    expectError(await attempt({ authorization: `Basic ${key}` }), 401);
  });

  test('a key in the address is not read', async () => {
    for (const name of ['api_key', 'key', 'x-api-key'])
      expectError(await attempt({}, `${path}?${name}=${key}`), 401);
  });

  test('a key sent twice, or two keys', async () => {
    expectError(await attempt({ 'x-api-key': `${key}, ${key}` }), 401);
    expectError(await attempt({ 'x-api-key': key, authorization: `Bearer ${readKey}` }), 401);
    expect((await attempt({ authorization: `bearer ${key}` })).status).toBe(200);
  });

  test('a bad key with a good cookie is a 401, and a good key needs no origin', async () => {
    expectError(await attempt({ cookie: owner.as.cookie, 'x-api-key': 'bad' }), 401);
    const headers = { cookie: owner.as.cookie, origin: 'https://elsewhere.example' };
    expect((await send({ body: { id: 'from-elsewhere' }, headers })).status).toBe(201);
  });

  test('a cookie that cannot be decoded, or of nobody', async () => {
    for (const cookie of ['vectora_session=%E0%A4%A; x=%', 'vectora_session=nobody', 'vectora_session=']) {
      expectError(await attempt({ cookie }), 401);
    }
  });

  test('a key without the permission is told which', async () => {
    const answer = await call<ErrorBody>(kit, {
      method: 'POST',
      path: documents,
      body: {},
      as: { key: readKey },
    });
    expect(expectError(answer, 403).message).toContain('"write"');
  });

  test('a large body of somebody unknown is not read, over REST or tRPC', async () => {
    const body = JSON.stringify({
      email: 'a@example.com',
      password: 'x'.repeat(limits.anonymousBodyBytesMax),
    });
    for (const path of ['/api/auth/login', '/trpc/auth.login', '/trpc/documents.write']) {
      expectError(await call<ErrorBody>(kit, { method: 'POST', path, body }), 413);
    }
    const known = { method: 'POST', path: '/trpc/documents.write', as: { key } };
    const document = { id: 'large', text: 'x'.repeat(limits.anonymousBodyBytesMax) };
    expect((await call(kit, { ...known, body: { collection: 'things', document } })).status).toBe(200);
  });

  test.each<[who: string, status: number, headers: () => Record<string, string>]>([
    ['nobody', 401, () => ({})],
    ['a key without the permission', 403, () => ({ 'x-api-key': readKey })],
  ])('the body of %s is not read', async (_, status, headers) => {
    for (const [path, type] of [
      [documents, 'application/json'],
      [`${documents}/import`, 'application/x-ndjson'],
    ] as const) {
      let pulled = 0;
      const body = new ReadableStream({
        pull(controller) {
          pulled++;
          controller.enqueue(new TextEncoder().encode('{"id":"x"}\n'));
        },
      });
      const init = { method: 'POST', headers: { ...headers(), 'content-type': type }, body, duplex: 'half' };
      const answer = await kit.app.request(path, init as RequestInit);
      expect(answer.status, path).toBe(status);
      expect(pulled, path).toBeLessThan(3);
    }
  });

  test.each<[who: string, status: number, headers: () => Record<string, string>]>([
    ['a foreign page', 403, () => ({ host: 'localhost', origin: 'https://elsewhere.example' })],
    ['two keys', 401, () => ({ 'x-api-key': key, authorization: `Bearer ${readKey}` })],
  ])('the body of %s is not read over tRPC either', async (_, status, headers) => {
    let isRead = false;
    const pull = () => {
      isRead = true;
    };
    const init = {
      method: 'POST',
      headers: { ...headers(), 'content-type': 'application/json' },
      body: new ReadableStream({ pull }, { highWaterMark: 0 }),
      duplex: 'half',
    };
    expect((await kit.app.request('/trpc/auth.login', init as RequestInit)).status).toBe(status);
    expect(isRead).toBe(false);
  });

  test('an id is written in one way', async () => {
    const statusOf = async (reference: string) =>
      (await send({ method: 'GET', path: `/api/collections/${reference}/documents` })).status;
    const { id } = things;
    expect([await statusOf(`${id}`), await statusOf(`0${id}`), await statusOf(`+${id}`)]).toEqual([
      200, 404, 404,
    ]);
  });
});

describe('paths and methods', () => {
  test.each([
    '/api',
    '/api/',
    '/api/nothing',
    '/api//collections',
    '/api/collections/',
    '/api/collections//documents',
  ])('%s is a JSON 404', async (path) => {
    expectError(await send({ method: 'GET', path }), 404);
  });

  test.each(['/dashboard%2f..%2fapi', '/%61pi/collections', '/api%2fcollections', '/..%2fapi/collections'])(
    '%s is not another way to the API',
    async (path) => {
      expectError(await send({ method: 'GET', path }), 404);
    },
  );

  test('a wrong method is a 405 with Allow, for anybody, before anything else is asked', async () => {
    const answer = await call<ErrorBody>(kit, { method: 'PATCH', path: '/api/collections' });
    expectError(answer, 405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST');
    expectError(await call<ErrorBody>(kit, { method: 'PUT', path: '/trpc/auth.me' }), 405);
  });

  test('imports and exports cannot be called over tRPC, alone or in a batch', async () => {
    for (const names of [
      'documents.import',
      'documents.export',
      'auth.me,documents.import',
      'documents%2Eexport',
      'documents.export/',
      'documents.export//',
      'none/../documents.export',
      './documents.export',
      '//documents.export/',
    ]) {
      const headers = { 'trpc-accept': 'application/jsonl' };
      expectError(await send({ path: `/trpc/${names}?batch=1`, body: {}, headers }), 404);
      expectError(await send({ method: 'GET', path: `/trpc/${names}?batch=1&input={}`, headers }), 404);
    }
  });

  test('queries may come by POST, mutations may not come by GET', async () => {
    const body = { collection: 'things', query: '*' };
    expect((await send({ path: '/trpc/search.keyword', body })).status).toBe(200);
    const input = encodeURIComponent('{"name":"By GET","dimension":8}');
    const path = `/trpc/collections.create?input=${input}`;
    expect((await send({ method: 'GET', path })).status).toBe(405);
  });

  test('connection parameters, which only a socket has, are no parameters', async () => {
    const inBatch = 'batch=1&input={}&connectionParams';
    const named = ['=1', '={}', '={"a":"b"}', '=%25', '', '&'].map((value) => `connectionParams${value}`);
    for (const query of [...named, inBatch, 'connection%50arams=1', '%63onnectionParams=%7B%7D']) {
      for (const method of ['GET', 'POST']) {
        const body = method === 'POST' ? {} : undefined;
        const error = expectError(await send({ method, path: `/trpc/auth.me?${query}`, body }), 400);
        expect(error.details?.[0]?.path, query).toBe('connectionParams');
      }
    }
  });

  test('what tRPC refuses before any procedure names the request', async () => {
    const path = '/trpc/auth.me,auth.logout?batch=1&input={}';
    const answer = await call<ErrorBody>(kit, { method: 'GET', path });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toContain(`${answer.headers.get('x-request-id')}`);
  });

  test('a failure of tRPC itself is told to the log, and names the request', async () => {
    const before = kit.logLines.length;
    const failing = vi.spyOn(MarkedValues.prototype, 'mark').mockImplementationOnce(() => {
      throw new Error('planted');
    });
    const answer = await call<object>(kit, { method: 'GET', path: '/trpc/auth.signInOptions' });
    failing.mockRestore();
    const requestId = answer.headers.get('x-request-id');
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([
      500,
      expect.stringContaining(`"requestId":"${requestId}"`),
    ]);
    const errors = kit.logLines.splice(before).filter((line) => line.includes('"level":"error"'));
    expect(errors).toEqual([expect.stringContaining('planted')]);
    expect(errors[0]).toContain(requestId);
  });

  test('more calls in a batch than any page makes', async () => {
    const names = Array.from({ length: limits.batchCallsMax + 1 }, () => 'auth.me').join();
    const answer = await call<ErrorBody>(kit, { method: 'GET', path: `/trpc/${names}?batch=1&input={}` });
    expect(expectError(answer, 400).requestId).toBe(answer.headers.get('x-request-id'));
  });
});

describe('uploads', () => {
  const upload = (body: string, type = 'application/x-ndjson', path = `${documents}/import`) =>
    call<{
      succeeded: number;
      failed: number;
      results: { index: number; success: boolean; error?: string }[];
    }>(kit, {
      method: 'POST',
      path,
      body,
      as: { key },
      headers: { 'content-type': type },
    });

  test('one bad line in many: 207 with its index and reason, the rest is in', async () => {
    const lines = Array.from({ length: 1_000 }, (_, index) =>
      index === 700 ? '{"id":' : `{"id":"n${index}"}`,
    );
    const { status, body } = await upload(lines.join('\n'));
    expect(status).toBe(207);
    expect(body).toMatchObject({ succeeded: 999, failed: 1 });
    expect(body.results.map(({ index }) => index)).toEqual(lines.map((_, index) => index));
    expect(body.results[700]).toMatchObject({ success: false, error: expect.stringContaining('position') });
  });

  test('none in: 400, each with its reason; all in: 200; nothing at all: 200', async () => {
    expect(await upload('[1,"x",null]', 'application/json')).toMatchObject({
      status: 400,
      body: { failed: 3 },
    });
    expect(await upload('{"id":"1"}', 'application/json')).toMatchObject({
      status: 400,
      body: { failed: 1 },
    });
    expect(await upload('[{"id":"ok"}]', 'application/json')).toMatchObject({
      status: 200,
      body: { succeeded: 1 },
    });
    expect(await upload('[]', 'application/json')).toMatchObject({ status: 200, body: { succeeded: 0 } });
  });

  test('the same id twice: the last wins, both are reported', async () => {
    const { body } = await upload('{"id":"twice","v":1}\n{"id":"twice","v":2}');
    expect(body.results).toHaveLength(2);
    const kept = await send({ method: 'GET', path: `${documents}/twice` });
    expect(kept.body).toEqual({ id: 'twice', v: 2 });
  });

  test('more results than memory should hold come back whole', async () => {
    const reason = 'x'.repeat(200);
    const lines = Array.from({ length: 12_000 }, () => `{"${reason}`);
    const { status, body } = await upload(lines.join('\n'));
    expect(status).toBe(400);
    expect(body.results.map(({ index }) => index)).toEqual(lines.map((_, index) => index));
  });

  test('an unknown collection, a bad action and a bad parameter are told before a row is read', async () => {
    expect((await upload('{}', undefined, '/api/collections/none/documents/import')).status).toBe(404);
    expect((await upload('{}', undefined, `${documents}/import?action=eat`)).status).toBe(400);
    expect((await upload('{}', undefined, `${documents}/import?batch=1`)).status).toBe(400);
  });
});

test('the collection of all this is well', async () => {
  const answer = await send({ method: 'GET', path: `/api/collections/${things.id}` });
  expect(answer.status).toBe(200);
});
