import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, origin, type SignedUp, signUp } from '../../testing/callers.ts';
import { type Kit, startKit } from '../../testing/kit.ts';

describe('requests with a session from elsewhere', () => {
  let kit: Kit;
  let owner: SignedUp;
  beforeAll(async () => {
    kit = await startKit();
    owner = await signUp(kit);
  });
  afterAll(() => kit.close());

  const elsewhere: [string, Record<string, string>][] = [
    ['another origin', { origin: 'https://evil.example' }],
    ['another port', { origin: 'http://localhost:8080' }],
    ['another scheme', { origin: 'https://localhost' }],
    ['a longer name', { origin: 'http://localhost.evil.example' }],
    ['the null origin', { origin: 'null' }],
    ['no origin', {}],
    ['a cross-site page, with an origin that looks right', { 'sec-fetch-site': 'cross-site', origin }],
    ['a sibling site', { 'sec-fetch-site': 'same-site', origin }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
  ];
  const bodies: [string, string][] = [
    ['application/json', '{"name":"x","workspaceId":1}'],
    ['text/plain', '{"name":"x","workspaceId":1}'],
    ['application/x-www-form-urlencoded', 'name=x'],
  ];

  describe.each(elsewhere)('%s', (_, from) => {
    test.each(bodies)('is refused a write as %s', async (type, body) => {
      const headers = { ...from, cookie: owner.as.cookie, host: 'localhost', 'content-type': type };
      const answer = await kit.app.request('/api/projects', { method: 'POST', headers, body });
      expect(answer.status).toBe(403);
    });

    test.each(['PUT', 'DELETE'])('is refused %s, over REST and tRPC', async (method) => {
      const headers = {
        ...from,
        cookie: owner.as.cookie,
        host: 'localhost',
        'content-type': 'application/json',
      };
      const path = `/api/workspaces/${owner.workspace.id}`;
      const rest = await kit.app.request(path, { method, headers, body: '{"name":"taken"}' });
      expect(rest.status).toBe(403);
      const body = JSON.stringify({ id: owner.workspace.id });
      const trpc = await kit.app.request('/trpc/workspaces.delete', { method: 'POST', headers, body });
      expect(trpc.status).toBe(403);
    });

    test('may read, which changes nothing', async () => {
      const headers = { ...from, cookie: owner.as.cookie, host: 'localhost' };
      expect((await kit.app.request('/api/workspaces', { headers })).status).toBe(200);
    });
  });

  test.each([
    ['the same origin by name', { origin }],
    ['the same origin as the browser says', { 'sec-fetch-site': 'same-origin' }],
  ])('%s is let in', async (_, from) => {
    const headers = {
      ...from,
      cookie: owner.as.cookie,
      host: 'localhost',
      'content-type': 'application/json',
    };
    const body = JSON.stringify({ name: 'From home', workspaceId: owner.workspace.id });
    expect((await kit.app.request('/api/projects', { method: 'POST', headers, body })).status).toBe(201);
  });

  test('nothing was done by those who were refused', async () => {
    const answer = await call<{ name: string }[]>(kit, {
      method: 'GET',
      path: '/api/workspaces',
      as: owner.as,
    });
    expect(answer.body.map(({ name }) => name)).toEqual([owner.workspace.name]);
  });

  test('signing in from another site is refused without any cookie, from a program it is not', async () => {
    const signIn = (headers: Record<string, string>) =>
      kit.app.request('/api/auth/login', {
        method: 'POST',
        headers: { host: 'localhost', 'content-type': 'application/json', ...headers },
        body: '{"email":"nobody@example.com","password":"wrong"}',
      });
    expect((await signIn({ origin: 'https://evil.example' })).status).toBe(403);
    expect((await signIn({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await signIn({ origin: 'null' })).status).toBe(403);
    expect((await signIn({})).status).toBe(401);
  });
});

test('with a public address only that is home, whatever the Host header says', async () => {
  const kit = await startKit({ settings: { publicUrl: 'https://search.example' } });
  try {
    const register = (from: string) =>
      kit.app.request('http://localhost/api/auth/register', {
        method: 'POST',
        headers: { host: 'localhost', origin: from, 'content-type': 'application/json' },
        body: JSON.stringify({
          email: 'a@example.com',
          username: 'a',
          password: 'correct horse battery',
          confirmPassword: 'correct horse battery',
        }),
      });
    expect((await register('http://localhost')).status).toBe(403);
    const answer = await register('https://search.example');
    expect(answer.status).toBe(201);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-.*; Path=\/; Expires=.*; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains');
  } finally {
    await kit.close();
  }
});

describe('behind a proxy that is trusted, without a public address', () => {
  let kit: Kit;
  beforeAll(async () => {
    kit = await startKit({ settings: { trustProxy: true } });
  });
  afterAll(() => kit.close());

  const register = (name: string, headers: Record<string, string>) =>
    kit.app.request('http://localhost/api/auth/register', {
      method: 'POST',
      headers: { host: 'search.example', 'content-type': 'application/json', ...headers },
      body: JSON.stringify({
        email: `${name}@example.com`,
        username: name,
        password: 'correct horse battery',
        confirmPassword: 'correct horse battery',
      }),
    });

  test('the proxy’s scheme decides the cookie, HSTS and what is our own origin alike', async () => {
    const https = { 'x-forwarded-proto': 'https', origin: 'https://search.example' };
    const answer = await register('by-https', https);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('strict-transport-security')).toContain('max-age=63072000');
    const cookie = answer.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^__Host-vectora_session=.*; Secure; SameSite=Lax$/);

    const write = (headers: Record<string, string>) =>
      kit.app.request('http://localhost/api/workspaces', {
        method: 'POST',
        headers: {
          host: 'search.example',
          cookie: cookie.split(';')[0] ?? '',
          'content-type': 'application/json',
          'x-forwarded-proto': 'https',
          ...headers,
        },
        body: '{"name":"Second"}',
      });
    expect((await write({ origin: 'https://search.example' })).status).toBe(201);
    expect((await write({ origin: 'http://search.example' })).status).toBe(403);
    expect((await write({ origin: 'https://other.example' })).status).toBe(403);
  });

  test('only what the nearest proxy appended counts, and plain http stays plain', async () => {
    const origin = 'http://search.example';
    const answer = await register('by-http', { 'x-forwarded-proto': 'https, http', origin });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('set-cookie')).toMatch(/^vectora_session=/);
    expect(answer.headers.has('strict-transport-security')).toBe(false);
  });
});

test('the forwarded scheme of nobody we trust changes nothing', async () => {
  const kit = await startKit();
  try {
    const headers = { host: 'localhost', 'x-forwarded-proto': 'https' };
    const answer = await kit.app.request('/health', { headers });
    expect(answer.headers.has('strict-transport-security')).toBe(false);
    const { as } = await signUp(kit);
    const write = (from: string) =>
      call(kit, {
        method: 'POST',
        path: '/api/workspaces',
        body: { name: 'Own' },
        as,
        headers: { ...headers, origin: from },
      });
    expect((await write('https://localhost')).status).toBe(403);
    expect((await write('http://localhost')).status).toBe(201);
  } finally {
    await kit.close();
  }
});

describe('a name that somebody else leads here', () => {
  const me = (kit: Kit, host: string, headers: Record<string, string> = {}) =>
    kit.app.request('http://localhost/api/auth/me', { headers: { host, ...headers } });

  describe.each<[string | null, Record<string, number>]>([
    [
      null,
      {
        'localhost:3000': 401,
        LOCALHOST: 401,
        'app.localhost:3000': 401,
        '127.0.0.1:3000': 401,
        '[::1]:3000': 401,
        '192.168.1.5': 401,
        notlocalhost: 403,
        'evil.example:3000': 403,
        'localhost.evil.example': 403,
        '127.0.0.1.evil.example': 403,
      },
    ],
    [
      'https://search.example',
      {
        'search.example': 401,
        'localhost:3000': 401,
        'evil.example': 403,
        'search.example.evil.example': 403,
      },
    ],
  ])('with %s as the public address', (publicUrl, statuses) => {
    let kit: Kit;
    beforeAll(async () => {
      kit = await startKit({ settings: { publicUrl } });
    });
    afterAll(() => kit.close());

    test.each(Object.entries(statuses))('%s is answered %i', async (host, status) => {
      expect((await me(kit, host)).status).toBe(status);
      expect((await me(kit, host, { 'x-api-key': 'a key decides for itself' })).status).toBe(401);
      expect((await kit.app.request('http://localhost/health', { headers: { host } })).status).toBe(200);
    });
  });

  test('the name that it listens on is its own', async () => {
    const kit = await startKit({ settings: { host: 'search.internal' } });
    try {
      expect((await me(kit, 'search.internal:3000')).status).toBe(401);
      expect((await me(kit, 'other.internal:3000')).status).toBe(403);
    } finally {
      await kit.close();
    }
  });
});
