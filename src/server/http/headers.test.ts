import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, createCollection, createKey, createProject, signUp } from '../testing/callers.ts';
import { type Kit, startKit } from '../testing/kit.ts';
import { createApp } from './app.ts';

let kit: Kit;
let clientDir: string;
let key: string;

beforeAll(async () => {
  clientDir = await mkdtemp(path.join(tmpdir(), 'vectora-client-'));
  await mkdir(path.join(clientDir, 'assets'));
  await writeFile(
    path.join(clientDir, 'index.html'),
    '<meta name="csp-nonce" content="__CSP_NONCE__"><meta name="contact-email" content="__CONTACT_EMAIL__">' +
      '<p>Console<img src="__PUBLIC_ORIGIN__/share.png">',
  );
  await writeFile(path.join(clientDir, 'color-scheme.js'), 'document.title;');
  await writeFile(path.join(clientDir, 'assets/index-1a2b.js'), `// ${'the same again '.repeat(200)}`);
  await writeFile(path.join(clientDir, 'assets/packed-1a2b.js'), `// ${'the same again '.repeat(200)}`);
  await writeFile(path.join(clientDir, 'assets/packed-1a2b.js.br'), 'packed');
  kit = await startKit({ clientDir });
  const owner = await signUp(kit);
  const project = await createProject(kit, owner);
  await createCollection(kit, owner, { projectId: project.id });
  ({ key } = await createKey(kit, owner, { projectId: project.id }));
});

afterAll(async () => {
  await kit.close();
  await rm(clientDir, { recursive: true });
});

describe('every answer', () => {
  test.each([
    '/',
    '/health',
    '/ready',
    '/api/auth/me',
    '/api/nothing',
    '/trpc/auth.me',
    '/color-scheme.js',
    '/a%2fb',
  ])('%s has an id and the security headers', async (url) => {
    const { headers } = await kit.app.request(url);
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('content-security-policy')).toContain("base-uri 'none'");
    expect(headers.get('cache-control')).toMatch(/^no-(store|cache)$/);
    expect(headers.has('strict-transport-security')).toBe(false);
  });

  test('a refusal for now says when to come back, over REST and tRPC', async () => {
    const throttled = await startKit({ settings: { signupsPerAddress: 1 } });
    try {
      const password = 'correct horse battery staple';
      const register = (path: string, name: string) =>
        throttled.app.request(path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            email: `${name}@example.com`,
            username: name,
            password,
            confirmPassword: password,
          }),
        });
      expect((await register('/api/auth/register', 'first')).status).toBe(201);
      for (const path of ['/api/auth/register', '/trpc/auth.register']) {
        const answer = await register(path, 'second');
        expect(answer.status, path).toBe(429);
        expect(Number(answer.headers.get('retry-after')), path).toBeGreaterThan(0);
      }
    } finally {
      await throttled.close();
    }
  });

  test('a method that is not possible is told what is, over REST and tRPC', async () => {
    for (const [path, allow] of [
      ['/api/workspaces', 'GET, HEAD, OPTIONS, POST'],
      ['/trpc/auth.me', 'GET, HEAD, POST'],
      ['/llms.txt', 'GET, HEAD'],
    ] as const) {
      const answer = await kit.app.request(path, { method: 'PATCH' });
      expect(answer.status, path).toBe(405);
      expect(answer.headers.get('allow'), path).toBe(allow);
    }
  });

  test('is where it was asked for, of the API over plain HTTP too: nothing leads elsewhere', async () => {
    for (const target of [
      '/api/collections',
      '/api/collections/',
      '/api',
      '/api/',
      '/trpc/auth.me',
      '/openapi.json',
    ]) {
      const headers = { 'x-api-key': key, 'x-forwarded-proto': 'http' };
      const { status, headers: answered } = await kit.app.request(`http://localhost${target}`, { headers });
      expect([target, Math.floor(status / 100) === 3, answered.get('location')]).toEqual([
        target,
        false,
        null,
      ]);
    }
  });

  test('signing out empties what the browser has kept of pages', async () => {
    const person = await signUp(kit);
    const answer = await call(kit, { method: 'POST', path: '/api/auth/logout', as: person.as });
    expect(answer.headers.get('clear-site-data')).toBe('"cache"');
    const other = await call(kit, { method: 'GET', path: '/api/auth/me', as: person.as });
    expect(other.headers.has('clear-site-data')).toBe(false);
  });

  test('an error carries the id of its answer, and JSON is never stored', async () => {
    const answer = await kit.app.request('/api/workspaces');
    expect(answer.status).toBe(401);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.json()).toEqual({
      message: 'Sign in to do this',
      code: 'UNAUTHORIZED',
      requestId: answer.headers.get('x-request-id'),
    });
  });
});

describe('the console', () => {
  test('its page gets a nonce of its own, in the policy and in the page', async () => {
    const seen = new Set<string>();
    for (const url of ['/', '/dashboard', '/projects/7', '/index.html', '/nothing/there.really']) {
      const answer = await kit.app.request(url, { headers: { accept: 'text/html' } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const nonce = /content="([^"]+)"/.exec(await answer.text())?.[1] ?? '';
      expect(answer.headers.get('content-security-policy')).toContain(`style-src 'self' 'nonce-${nonce}'`);
      expect(answer.headers.get('content-security-policy')).not.toContain('unsafe');
      seen.add(nonce);
    }
    expect(seen.size).toBe(5);
  });

  test('files with a hash in their name are kept for ever, others asked for again; compressed for those who can', async () => {
    const asset = await kit.app.request('/assets/index-1a2b.js', {
      headers: { 'accept-encoding': 'br, gzip' },
    });
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(asset.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(asset.headers.get('content-encoding')).toBe('gzip');
    const plain = await kit.app.request('/assets/index-1a2b.js');
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await plain.text()).toContain('the same again');
    expect((await kit.app.request('/color-scheme.js')).headers.get('cache-control')).toBe('no-cache');
  });

  test('what the build has packed with Brotli goes to those who take it, and by its own name to nobody', async () => {
    const file = '/assets/packed-1a2b.js';
    const get = (accepted: string) => kit.app.request(file, { headers: { 'accept-encoding': accepted } });
    for (const accepted of ['gzip, deflate, br', 'BR;q=0.5', 'br']) {
      const answer = await get(accepted);
      expect(answer.headers.get('content-encoding'), accepted).toBe('br');
      expect(answer.headers.get('content-type'), accepted).toBe('text/javascript; charset=utf-8');
      expect(answer.headers.get('vary'), accepted).toContain('Accept-Encoding');
      expect(await answer.text(), accepted).toBe('packed');
    }
    expect((await get('gzip, br;q=0')).headers.get('content-encoding')).toBe('gzip');
    expect((await get('brother')).headers.get('content-encoding')).toBeNull();
    expect((await kit.app.request(`${file}.br`)).status).toBe(404);
  });

  test.each(['/assets/old-9z.js', '/favicon.ico', '/wp-login.php', '/sitemap.xml', '/deep/in/it.PNG'])(
    'without a file %s is a 404, not the page',
    async (url) => {
      const answer = await kit.app.request(url);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-type')).toContain('application/json');
    },
  );

  test('its page names the address that others reach the server at and whom to write to, where that is known', async () => {
    const bare = await (await kit.app.request('/')).text();
    expect(bare).toContain('src="/share.png"');
    expect(bare).toContain('name="contact-email" content=""');
    const settings = {
      ...kit.deps.settings,
      publicUrl: 'https://search.example.com',
      contactEmail: 'sales@example.com',
    };
    const known = createApp({ ...kit.deps, settings }, { clientDir });
    const page = await (await known.request('/')).text();
    expect(page).toContain('src="https://search.example.com/share.png"');
    expect(page).toContain('name="contact-email" content="sales@example.com"');
  });

  test.each([
    '/.git/HEAD',
    '/.env',
    '/package.json',
    '/src/server/main.ts',
    '/assets/%2e%2e%2f..%2fpackage.json',
    '/assets/',
    '/assets',
  ])('%s is the page or nothing: no other file, no listing', async (url) => {
    const answer = await kit.app.request(url, { headers: { accept: 'text/html' } });
    const text = await answer.text();
    if (answer.status !== 404) expect(text).toContain('<p>Console');
    expect(text).not.toMatch(/ref: |vectora"|index-1a2b/);
  });
});

describe('calls from other sites', () => {
  const elsewhere = 'https://shop.example';
  const preflight = (url: string) =>
    kit.app.request(url, {
      method: 'OPTIONS',
      headers: { origin: elsewhere, 'access-control-request-method': 'POST' },
    });

  test('are open with a key, for good and bad answers, without credentials', async () => {
    for (const [url, status] of [
      ['/api/collections/things/search?query=*', 200],
      ['/api/collections/nothing/search', 404],
    ] as const) {
      const answer = await kit.app.request(url, { headers: { origin: elsewhere, 'x-api-key': key } });
      expect(answer.status).toBe(status);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      expect(answer.headers.get('access-control-expose-headers')).toContain('X-Total-Count');
    }
    const answer = await preflight('/api/collections/things/search');
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET, POST');
    expect(answer.headers.get('access-control-allow-headers')).toContain('X-API-Key');
  });

  test.each(['/trpc/auth.me', '/api/auth/me', '/api/workspaces', '/api/projects'])(
    '%s stays closed',
    async (url) => {
      expect((await preflight(url)).headers.get('access-control-allow-origin')).toBeNull();
      const answer = await kit.app.request(url, { headers: { origin: elsewhere } });
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  test('another kind of Authorization makes no key of a session', async () => {
    const { as } = await signUp(kit);
    for (const authorization of ['Basic eDp5', 'Basic', 'Digest x', 'BearerX y']) {
      const headers = { ...as, origin: elsewhere, authorization, host: 'localhost' };
      const answer = await kit.app.request('/api/workspaces', { headers });
      expect(answer.status, authorization).toBe(200);
      expect(answer.headers.get('access-control-allow-origin'), authorization).toBeNull();
      const init = {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: '{}',
      };
      expect((await kit.app.request('/api/workspaces', init)).status, authorization).toBe(403);
    }
  });

  test('a session is not told to other sites', async () => {
    const answer = await kit.app.request('/api/collections', { headers: { origin: elsewhere } });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});
