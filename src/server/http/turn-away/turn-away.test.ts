import http from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createRateLimits } from '../../admission/rate-limits.ts';
import { makeApiKey } from '../../auth/keys/key-format.ts';
import {
  call,
  createCollection,
  createKey,
  createProject,
  createTenant,
  must,
  type SignedUp,
  signUp,
} from '../../testing/callers.ts';
import { heldSearches } from '../../testing/held-searches.ts';
import { type Kit, startKit } from '../../testing/kit.ts';
import { statementsOf } from '../../testing/statements.ts';
import { listen, type RunningServer } from '../node-server.ts';
import { createCountFault } from './count-fault.ts';
import { createTurnAway, type TurnAway } from './turn-away.ts';

/** Who is known and has no room is turned away by the head of its request: no app, no statement, no body, hardly a line. */
const perCaller = 2;
let kit: Kit;
let server: RunningServer;
let owner: SignedUp;
let key: string;
let strangersKey: string;
/** Requests that the app was given. */
let appCalls = 0;
/** For whom answers were held back. */
const heldBack = new Set<string>();
const held = heldSearches();

async function tenant(): Promise<{ owner: SignedUp; key: string }> {
  const signedUp = await signUp(kit);
  const project = await createProject(kit, signedUp);
  await createCollection(kit, signedUp, { projectId: project.id, dimension: 8 });
  const made = await createKey(kit, signedUp, { projectId: project.id });
  const body = { id: 'd', title: 'river' };
  const path = '/api/collections/things/documents';
  await must(call(kit, { method: 'POST', path, body, as: { key: made.key } }));
  return { owner: signedUp, key: made.key };
}

beforeAll(async () => {
  const settings = { requestsPerCaller: perCaller, demoSearchesPerMinute: 1 };
  kit = await startKit({ database: 'bundled', host: held.host, settings });
  const fetch: Kit['app']['fetch'] = (...given) => {
    appCalls += 1;
    return kit.app.fetch(...given);
  };
  const look = createTurnAway(kit.deps);
  const turnAway: TurnAway = (incoming, outgoing, holdBack) =>
    look(incoming, outgoing, (refused, by) => {
      heldBack.add(by.join());
      holdBack?.(refused, by);
    });
  const app = { fetch, turnAway, countFault: createCountFault(kit.deps) };
  server = await listen(app, { ...kit.deps.settings, port: 0 }, kit.deps.log);
  ({ owner, key } = await tenant());
  ({ key: strangersKey } = await tenant());
});
afterAll(async () => {
  await server.close({ graceMs: 1_000, keptAliveMs: 0 });
  await kit.close();
});

interface Told {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
}

function ask(
  path: string,
  { headers = {}, ...options }: http.RequestOptions & { body?: string } = {},
): Promise<Told> {
  return new Promise((resolve, reject) => {
    const request = http.request(new URL(path, server.url), { headers, ...options }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += String(chunk);
      });
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    });
    request.once('error', reject);
    request.end(options.body);
  });
}

const searchPath = '/api/collections/things/search?query=river';
const by = (as: string) => ({ headers: { 'x-api-key': as } });
const cookie = () => ({ headers: { cookie: owner.as.cookie } });

/** All that this caller may have under way is, at the engine. */
async function fill(options: http.RequestOptions): Promise<void> {
  underWay.push(...(await held.start(perCaller, () => ask(searchPath, options))));
}
const underWay: Promise<Told>[] = [];

beforeEach(() => {
  kit.deps.denials.lines.stop();
  kit.logLines.length = 0;
  const release = held.hold();
  return async () => {
    release();
    await Promise.all(underWay.splice(0));
  };
});

test('a flood of a caller without room reaches neither the app nor the record, and is one line at first', async () => {
  await fill(by(key));
  appCalls = 0;
  const refused: Told[] = [];
  const flood = () =>
    statementsOf(kit.deps.record, async () => {
      refused.push(...(await Promise.all(Array.from({ length: 100 }, () => ask(searchPath, by(key))))));
    });
  // Timers send statements of their own now and then.
  await expect.poll(flood).toEqual([]);
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 429));
  expect([appCalls, held.arrived()]).toEqual([0, perCaller]);

  const lines = () => kit.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const [first, ...more] = lines();
  const line = { message: 'refused', action: 'request', code: 'TOO_MANY_REQUESTS', actor: /^key \d+$/ };
  expect(first).toMatchObject({ ...line, actor: expect.stringMatching(line.actor) });
  expect(first?.['requestId']).toMatch(/^[0-9a-f-]{36}$/);
  expect(first).not.toHaveProperty('times');
  kit.deps.denials.lines.flush();
  const counted = lines().slice(1 + more.length);
  const times = [...more, ...counted].reduce((sum, each) => sum + Number(each['times'] ?? 1), 1);
  expect(times).toBe(refused.length);
  expect(lines().length).toBeLessThan(20);

  const stranger = ask(searchPath, by(strangersKey));
  held.release();
  for (const answer of await Promise.all([...underWay, stranger])) expect(answer.status).toBe(200);
  expect((await ask(searchPath, by(key))).status).toBe(200);
});

test('connections know for whom refusals are held back', async () => {
  await fill(by(key));
  heldBack.clear();
  // So often within a second.
  const flood = async () => {
    await Promise.all(Array.from({ length: 60 }, () => ask(searchPath, by(key))));
    return [...heldBack];
  };
  await expect.poll(flood).toEqual([expect.stringMatching(/^account:\d+,key:\d+$/)]);
});

describe('the answer', () => {
  test('over REST is the one that the app gives', async () => {
    await fill(by(key));
    const early = await ask(searchPath, by(key));
    const late = await kit.app.request(`http://localhost${searchPath}`, {
      headers: { host: 'localhost', 'x-api-key': key },
    });
    expect(late.status).toBe(early.status);
    const { 'x-request-id': requestId, ...rest } = early.headers;
    // The app counts the request that it refuses.
    const { 'x-request-id': _, ratelimit: left, ...expected } = Object.fromEntries(late.headers);
    expect(left).toMatch(/^"key";r=\d+;t=[01]$/);
    expect(rest).toMatchObject(expected);
    expect(rest['access-control-allow-origin']).toBe('*');
    expect(rest['content-security-policy']).toContain("default-src 'none'");
    expect(JSON.parse(early.body)).toEqual({ ...JSON.parse(await late.text()), requestId });
  });

  test('to a session allows no other site to read it', async () => {
    await fill(cookie());
    const { status, headers } = await ask(searchPath, cookie());
    expect([status, headers['access-control-allow-origin']]).toEqual([429, undefined]);
  });

  test.each([
    ['one call', '/trpc/search.keyword?input=%7B%7D', 1],
    ['a batch', '/trpc/search.keyword,search.hybrid?batch=1&input=%7B%7D', 2],
  ])('over tRPC is in its form: %s', async (_, path, count) => {
    await fill(cookie());
    appCalls = 0;
    const early = await ask(path, cookie());
    expect([early.status, appCalls]).toEqual([429, 0]);
    const late = await kit.app.request(`http://localhost${path}`, {
      headers: { host: 'localhost', cookie: owner.as.cookie },
    });
    expect(late.status).toBe(429);
    const plain = (text: string) =>
      [JSON.parse(text) as unknown].flat().map((each) => {
        const { error } = each as { error: { data: { requestId?: string } } };
        const { requestId: __, ...data } = error.data;
        return { ...error, data };
      });
    expect(plain(early.body)).toEqual(plain(await late.text()));
    expect(plain(early.body)).toHaveLength(count);
  });

  test('is the same for odd ways to write a path', async () => {
    await fill(cookie());
    appCalls = 0;
    for (const path of ['/trpc//search%2Ekeyword/?input=%7B%7D', `http://localhost${searchPath}`]) {
      expect((await ask('/', { ...cookie(), path })).status, path).toBe(429);
    }
    expect(appCalls).toBe(0);
  });

  test('to HEAD has no body, and the next request on the connection is answered', async () => {
    await fill(by(key));
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const head = await ask(searchPath, { ...by(key), agent, method: 'HEAD' });
    expect([head.status, head.body]).toEqual([429, '']);
    const post = { ...by(key), agent, method: 'POST', body: '{"query":"river"}' };
    post.headers = { ...post.headers, 'content-type': 'application/json' } as typeof post.headers;
    expect((await ask('/api/collections/things/search', post)).status).toBe(429);
    held.release();
    expect((await ask(searchPath, { ...by(strangersKey), agent })).status).toBe(200);
    agent.destroy();
  });
});

test.each([
  ['a key that nobody knows', () => ({ 'x-api-key': 'vk_unknown' }), 401],
  ['two keys that differ', () => ({ 'x-api-key': key, authorization: `Bearer ${strangersKey}` }), 401],
  ['nobody', () => ({}), 401],
])("%s is not turned away by another's lack of room", async (_, headers, status) => {
  await fill(by(key));
  expect((await ask(searchPath, { headers: headers() })).status).toBe(status);
});

describe('who has asked too often', () => {
  const refusal = (of: string) => ({
    'ratelimit-policy': `"${of}";q=2;w=60`,
    ratelimit: `"${of}";r=0;t=30`,
    'retry-after': '30',
  });
  let now = 0;
  beforeEach(() => {
    held.release();
    const settings = { rateLimitKey: 2, rateLimitSession: 2, rateLimitAddress: 2 };
    const { rates } = kit.deps;
    kit.deps.rates = createRateLimits(settings, () => now);
    return () => {
      kit.deps.rates = rates;
    };
  });

  test.each([
    ['key', () => by(key), 200],
    ['session', () => cookie(), 200],
    ['address', () => ({ headers: {} }), 401],
  ] as const)('as a %s reaches the app as often as it may, and no more', async (of, options, status) => {
    for (let i = 0; i < 2; i += 1) expect((await ask(searchPath, options())).status).toBe(status);
    appCalls = 0;
    const refused = await ask(searchPath, options());
    expect([refused.status, appCalls]).toEqual([429, 0]);
    expect(refused.headers).toMatchObject(refusal(of));
    expect((await ask(searchPath, by(strangersKey))).status).toBe(200);
    now += 30_000;
    expect((await ask(searchPath, options())).status).toBe(status);
  });

  test.each([
    ['a page', '/', {}],
    ['a file', '/assets/index.js', {}],
    ['what is not there', '/api/nothing', {}],
    ['a method that is not there', '/api/collections', { method: 'PATCH' }],
    ['a preflight', '/api/collections', { method: 'OPTIONS' }],
    ['the description of the API', '/api/openapi.json', {}],
    ['a query that is no URL encoding', '/api/collections?q=%ff', {}],
    ['a host that is not ours', searchPath, { headers: { host: 'elsewhere.example' } }],
    ['a cookie that was made up', searchPath, { headers: { cookie: `vectora_session=${'a'.repeat(40)}` } }],
    ['a key that is none', searchPath, by('vk_malformed')],
    ['two keys', searchPath, { headers: { 'x-api-key': 'vk_one', authorization: 'Bearer vk_two' } }],
    ['a call over tRPC that is not there', '/trpc/nothing.at.all', {}],
  ])('for %s: it counts for the address, and is refused by the head', async (_, path, options) => {
    for (let i = 0; i < 2; i += 1) expect((await ask(path, options)).status).not.toBe(429);
    appCalls = 0;
    const refused = await ask(path, options);
    expect([refused.status, appCalls]).toEqual([429, 0]);
    expect(refused.headers).toMatchObject(refusal('address'));
    expect((await ask(searchPath, { headers: {} })).status).toBe(429);
    expect((await ask(searchPath, by(key))).status).toBe(200);
    expect((await ask('/health')).status).toBe(200);
  });

  test('with a key that is known, for something else than a search: it counts for the key', async () => {
    kit.deps.known.keys.clear();
    await kit.deps.auth.authenticateKey(key);
    for (let i = 0; i < 2; i += 1) expect((await ask('/api/nothing', by(key))).status).toBe(404);
    expect((await ask('/api/nothing', by(key))).headers).toMatchObject(refusal('key'));
    expect((await ask(searchPath, by(key))).status).toBe(429);
    expect((await ask('/api/nothing')).status).toBe(404);
  });

  test('about health has a budget of its own', async () => {
    for (let i = 0; i < 2; i += 1) expect((await ask('/health')).status).toBe(200);
    appCalls = 0;
    expect([(await ask('/ready')).status, appCalls]).toEqual([429, 0]);
    expect((await ask('/')).status).toBe(404);
  });

  test('with what is no request is cut off without an answer', async () => {
    const send = async (bytes: string) => {
      const { hostname, port } = new URL(server.url);
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.write(bytes);
      await new Promise((resolve) => socket.once('close', resolve));
      return text.slice(0, 12);
    };
    const faulty = [
      ['GET / HTTP/1.1\r\n\r\n', ''],
      ['no request\r\n\r\n', ''],
      ['GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 'HTTP/1.1 429'],
    ] as const;
    for (const [bytes, refused] of faulty) {
      now += 60_000;
      for (const answer of ['HTTP/1.1 400', 'HTTP/1.1 400', refused])
        expect(await send(bytes), bytes).toBe(answer);
    }
    expect((await ask('/')).status).toBe(429);
    expect((await ask(searchPath, by(key))).status).toBe(200);
  });

  test('is told the same by the app', async () => {
    for (let i = 0; i < 2; i += 1) await ask(searchPath, by(key));
    const early = await ask(searchPath, by(key));
    const init = { headers: { host: 'localhost', 'x-api-key': key } };
    const late = await kit.app.request(`http://localhost${searchPath}`, init);
    const { 'x-request-id': requestId, ...rest } = early.headers;
    const { 'x-request-id': _, ...expected } = Object.fromEntries(late.headers);
    expect(rest).toMatchObject(expected);
    expect(JSON.parse(early.body)).toEqual({ ...JSON.parse(await late.text()), requestId });
  });
});

test('a batch of searches of the catalogue is refused whole, and without the app', async () => {
  const batch = (count: number) => {
    const names = Array.from({ length: count }, () => 'demo.products').join();
    const input = Object.fromEntries(Array.from({ length: count }, (_, i) => [i, { query: `coat ${i}` }]));
    return ask(`/trpc/${names}?batch=1&input=${encodeURIComponent(JSON.stringify(input))}`);
  };
  held.release();
  // One a minute, which a batch takes whole.
  expect((await batch(3)).status).toBe(200);
  appCalls = 0;
  const refused = await batch(3);
  expect([refused.status, appCalls]).toEqual([429, 0]);
  expect(JSON.parse(refused.body)).toHaveLength(3);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
});

test('keys that nobody has are refused by the head once their address has sent many; a key that is known goes on', async () => {
  const tight = await startKit({ database: 'bundled', settings: { unknownKeysPerAddress: 2 } });
  let calls = 0;
  const fetch: Kit['app']['fetch'] = (...given) => {
    calls += 1;
    return tight.app.fetch(...given);
  };
  const app = { fetch, turnAway: createTurnAway(tight.deps) };
  const own = await listen(app, { ...tight.deps.settings, port: 0 }, tight.deps.log);
  try {
    const { key: known } = await createTenant(tight);
    const askOwn = (as: string) => ask(new URL('/api/collections', own.url).href, by(as));
    expect((await askOwn(known.key)).status).toBe(200);
    for (let i = 0; i < 2; i += 1) expect((await askOwn(makeApiKey())).status).toBe(401);
    calls = 0;
    const refused = await askOwn(makeApiKey());
    expect([refused.status, calls]).toEqual([429, 0]);
    expect(JSON.parse(refused.body)).toMatchObject({ message: expect.stringContaining('unknown API keys') });
    expect((await askOwn(known.key)).status).toBe(200);
  } finally {
    await own.close({ graceMs: 1_000, keptAliveMs: 0 });
    await tight.close();
  }
});
