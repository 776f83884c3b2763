import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createRateLimits } from '../admission/rate-limits.ts';
import { makeApiKey } from '../auth/keys/key-format.ts';
import { createSessionIds } from '../auth/sessions/session-ids.ts';
import {
  type Credentials,
  call,
  createKey,
  createTenant,
  origin,
  type SignedUp,
  signIn,
  signUp,
} from '../testing/callers.ts';
import { type Kit, startKit } from '../testing/kit.ts';
import { statementsOf } from '../testing/statements.ts';

/** What a key, a session and an address may send a minute, and how they are told. */
let kit: Kit;
let owner: SignedUp;
let key: string;
let otherKey: string;
/** Milliseconds, as the limits see them. */
let now = 0;

beforeAll(async () => {
  kit = await startKit({ database: 'bundled', settings: { trustProxy: true } });
  const made = await createTenant(kit);
  owner = made.owner;
  key = made.key.key;
  ({ key: otherKey } = await createKey(kit, owner, { projectId: made.project.id }));
});
afterAll(() => kit.close());

beforeEach(() => {
  kit.deps.rates = createRateLimits({ rateLimitKey: 5, rateLimitSession: 6, rateLimitAddress: 4 }, () => now);
});

function ask(as: Credentials, { path = '/api/collections', address = '192.0.2.1', ...more } = {}) {
  const request = { method: 'GET', path, as, headers: { 'x-forwarded-for': address } };
  return call<{ code?: string; message?: string }>(kit, { ...request, ...more });
}

async function askOften(times: number, as: Credentials, more?: Parameters<typeof ask>[1]): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < times; i += 1) statuses.push((await ask(as, more)).status);
  return statuses;
}

const told = ({ headers }: { headers: Headers }) =>
  ['RateLimit-Policy', 'RateLimit', 'Retry-After'].map((name) => headers.get(name));

describe('a key', () => {
  test('sends so many a minute, is told how many are left, and then when to come back', async () => {
    expect(told(await ask({ key }))).toEqual(['"key";q=5;w=60', '"key";r=4;t=12', null]);
    expect(told(await ask({ key }, { path: '/api/collections/nothing' }))).toEqual([
      '"key";q=5;w=60',
      '"key";r=3;t=12',
      null,
    ]);
    expect(await askOften(3, { key })).toEqual([200, 200, 200]);
    now += 2_000;
    const refused = await ask({ key });
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      message: 'Too many requests of this API key; try again in 10 s',
    });
    expect(told(refused)).toEqual(['"key";q=5;w=60', '"key";r=0;t=10', '10']);
    expect((await ask({ key: otherKey })).status).toBe(200);
    now += 10_000;
    expect(await askOften(2, { key })).toEqual([200, 429]);
  });

  test('may read what it is told on pages of other sites', async () => {
    const exposed = (await ask({ key })).headers.get('access-control-expose-headers')?.split(', ');
    expect(exposed).toEqual(expect.arrayContaining(['RateLimit', 'RateLimit-Policy', 'Retry-After']));
  });

  test('that is refused costs no statement, and its body is not read', async () => {
    await askOften(5, { key });
    let isRead = false;
    const body = new ReadableStream(
      {
        pull() {
          isRead = true;
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { host: 'localhost', 'x-api-key': key, 'content-type': 'application/json' };
    const send = async () => {
      for (const path of ['/api/collections/things/documents', '/api/collections/things/documents/import']) {
        const init = { method: 'POST', headers, body, duplex: 'half' };
        expect((await kit.app.request(`${origin}${path}`, init)).status).toBe(429);
      }
    };
    // Timers send theirs now and then.
    await expect.poll(() => statementsOf(kit.deps.record, send)).toEqual([]);
    expect(isRead).toBe(false);
    kit.deps.denials.lines.flush();
    const [line = ''] = kit.logLines.filter((text) => text.includes('TOO_MANY_REQUESTS'));
    expect(line).toContain('"actor":"key ');
  });

  test('that is not good counts for its address', async () => {
    expect(await askOften(5, { key: 'vk_malformed' })).toEqual([401, 401, 401, 401, 429]);
    expect((await ask({ key: makeApiKey() })).status).toBe(429);
    expect((await ask({ key })).status).toBe(200);
  });
});

describe('a session', () => {
  test('sends so many a minute, over REST and tRPC alike; a batch counts its calls', async () => {
    expect(told(await ask(owner.as))).toEqual(['"session";q=6;w=60', '"session";r=5;t=10', null]);
    const batch = '/trpc/auth.me,auth.me,workspaces.list?batch=1';
    expect(told(await ask(owner.as, { path: batch }))).toEqual([
      '"session";q=6;w=60',
      '"session";r=2;t=10',
      null,
    ]);
    const refused = await ask(owner.as, { path: batch });
    expect(refused.status).toBe(429);
    expect(told(refused)).toEqual(['"session";q=6;w=60', '"session";r=2;t=10', '10']);
    expect(await askOften(3, owner.as)).toEqual([200, 200, 429]);
  });

  test('counts for itself alone', async () => {
    const other = await signUp(kit);
    expect(await askOften(7, owner.as)).toContain(429);
    expect((await ask(other.as)).status).toBe(200);
  });
});

const anybody = { path: '/api/auth/me' };
const cookieOf = (value: string) => ({ cookie: `vectora_session=${value}` });

describe('an address', () => {
  test('sends so many a minute for nobody who is known', async () => {
    expect(told(await ask(null, anybody))).toEqual(['"address";q=4;w=60', '"address";r=3;t=15', null]);
    expect(await askOften(4, null, anybody)).toEqual([401, 401, 401, 429]);
    expect(await askOften(1, null, { ...anybody, address: '192.0.2.1:4711' })).toEqual([429]);
    expect(await askOften(1, null, { ...anybody, address: '192.0.2.2' })).toEqual([401]);
  });

  test('is a network of IPv6, since one customer has all of it', async () => {
    const from = (last: number) => ({ ...anybody, address: `2001:db8:1:2::${last}` });
    const statuses = await Promise.all(
      [1, 2, 3, 4, 5].map(async (last) => (await ask(null, from(last))).status),
    );
    expect(statuses).toEqual([401, 401, 401, 401, 429]);
    expect(await askOften(1, null, { ...anybody, address: '2001:db8:1:3::1' })).toEqual([401]);
  });

  test('has no more for having many networks of IPv6, than a few of them have', async () => {
    const statuses: number[] = [];
    for (let subnet = 0; subnet < 9; subnet += 1) {
      statuses.push(...(await askOften(4, null, { ...anybody, address: `2001:db8:7:${subnet}::1` })));
    }
    expect(statuses).toEqual([...Array(32).fill(401), ...Array(4).fill(429)]);
    expect(await askOften(1, null, { ...anybody, address: '2001:db8:8::1' })).toEqual([401]);
    now += 60_000;
    expect(await askOften(1, null, { ...anybody, address: '2001:db8:7:9::1' })).toEqual([401]);
  });

  test('keeps out neither keys nor sessions, also those that are not known here', async () => {
    expect(await askOften(5, null, anybody)).toContain(429);
    kit.deps.known.keys.clear();
    kit.deps.known.sessions.clear();
    expect((await ask({ key })).status).toBe(200);
    expect((await ask(owner.as)).status).toBe(200);
    expect((await ask(owner.as)).headers.get('RateLimit')).toMatch(/^"session";r=4/);
  });

  test('does not hold up a browser that has signed in before; all those of an account are one', async () => {
    kit.deps.rates = createRateLimits({ rateLimitKey: 0, rateLimitSession: 0, rateLimitAddress: 0 });
    const { device } = await signIn(kit, owner.user);
    const { device: same } = await signIn(kit, owner.user);
    const { device: other } = await signIn(kit, (await signUp(kit)).user);
    kit.deps.rates = createRateLimits(
      { rateLimitKey: 5, rateLimitSession: 6, rateLimitAddress: 4 },
      () => now,
    );
    expect(await askOften(5, null, anybody)).toContain(429);
    expect(await askOften(5, device, anybody)).toEqual([401, 401, 401, 401, 429]);
    expect(await askOften(1, same, { ...anybody, address: '192.0.2.2' })).toEqual([429]);
    expect(await askOften(1, other, anybody)).toEqual([401]);
    const madeUp = { cookie: `${device.cookie.slice(0, -1)}${device.cookie.endsWith('A') ? 'B' : 'A'}` };
    expect(await askOften(1, madeUp, anybody)).toEqual([429]);
  });

  test('pays for sessions that nobody has, before they are looked for', async () => {
    const { make } = createSessionIds(kit.deps.secrets);
    const statements = await statementsOf(kit.deps.record, async () => {
      for (let i = 0; i < 8; i += 1) await ask(cookieOf(make()), anybody);
    });
    expect(statements.filter((text) => text.includes('from "sessions"'))).toHaveLength(4);
    expect((await ask(cookieOf(make()), anybody)).status).toBe(429);
    expect((await ask(owner.as)).status).toBe(200);
  });
});

test('a cookie that was made up costs no statement, and keeps out no session that is not known here', async () => {
  const madeUp = (i: number) => cookieOf(`${'a'.repeat(39)}${'abcdefgh'[i]}`);
  const statements = await statementsOf(kit.deps.record, async () => {
    for (let i = 0; i < 8; i += 1) await ask(madeUp(i), anybody);
  });
  expect(statements.filter((text) => text.includes('from "sessions"'))).toEqual([]);
  expect((await ask(madeUp(0), anybody)).status).toBe(429);
  kit.deps.known.sessions.clear();
  expect((await ask(owner.as)).status).toBe(200);
});

test('a limit of 0 is none, and nothing is told of it', async () => {
  kit.deps.rates = createRateLimits({ rateLimitKey: 0, rateLimitSession: 0, rateLimitAddress: 0 });
  for (const as of [{ key }, owner.as, null]) {
    expect(await askOften(8, as)).not.toContain(429);
    expect(told(await ask(as))).toEqual([null, null, null]);
  }
});
