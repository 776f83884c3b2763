import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, createTenant, must } from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import type { ErrorBody } from '#shared/errors.ts';

/** Who opens a page gets the console, and who means the API is told where it is. */
let kit: Kit;
let clientDir: string;
let key: string;
beforeAll(async () => {
  clientDir = await mkdtemp(path.join(tmpdir(), 'vectora-client-'));
  await writeFile(path.join(clientDir, 'index.html'), '<p>console</p>');
  await writeFile(path.join(clientDir, 'robots.txt'), 'User-agent: *');
  kit = await startKit({ clientDir });
  key = (await createTenant(kit)).key.key;
});
afterAll(async () => {
  await kit.close();
  await rm(clientDir, { recursive: true });
});

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('a page is answered', () => {
  test.each([
    ['a browser', { accept: browser, 'sec-fetch-mode': 'navigate' }],
    ['a browser that tells no mode', { accept: browser }],
    ['a browser that tells the mode alone', { accept: '*/*', 'sec-fetch-mode': 'navigate' }],
    ['who asks for HTML', { accept: 'text/html' }],
  ])('to %s', async (_, headers) => {
    for (const url of [
      '/collections',
      '/collections/7?tab=tuning',
      '/projects/7',
      '/search?q=a',
      '/no/such',
    ]) {
      const answer = await kit.app.request(url, { headers });
      expect(answer.status, url).toBe(200);
      expect(await answer.text(), url).toBe('<p>console</p>');
      const head = await kit.app.request(url, { method: 'HEAD', headers });
      expect(head.status, url).toBe(200);
      expect(head.headers.get('content-type'), url).toBe('text/html; charset=utf-8');
    }
  });

  test('to anybody where it is public', async () => {
    for (const url of ['/', '/landing', '/index.html', '/robots.txt'])
      expect((await kit.app.request(url, { headers: { accept: '*/*' } })).status, url).toBe(200);
  });
});

describe('a program that leaves out /api', () => {
  const asked = [
    ['GET', '/collections', '/api/collections'],
    ['GET', '/collections/', '/api/collections'],
    ['GET', '/v1/collections/films', '/api/collections/{name}'],
    ['POST', '/collections/films/documents/import', '/api/collections/{name}/documents/import'],
    ['POST', '/collections/films/documents/search', '/api/collections/{name}/search'],
    ['GET', '/collections/films/documents/search?q=star', '/api/collections/{name}/search'],
    [
      'GET',
      '/api/collections/films/documents/search?q=star&query_by=title',
      '/api/collections/{name}/search',
    ],
    ['POST', '/api/collections/films/documents/search', '/api/collections/{name}/search'],
    ['POST', '/multi_search', '/api/multi-search'],
    ['POST', '/api/multi_search', '/api/multi-search'],
    ['POST', '/indexes/films/search', '/api/collections/{name}/search'],
    ['POST', '/1/indexes/films/query', '/api/collections/{name}/search'],
    ['POST', '/indexes/films/documents', '/api/collections/{name}/documents'],
    ['DELETE', '/', '/api/collections/{name}/search'],
    ['PUT', '/nothing', '/api/collections/{name}/search'],
    ['GET', '/api/nothing', '/api/collections/{name}/search'],
  ] as const;

  test.each(asked)('%s %s is a JSON 404 that names its address', async (method, url, address) => {
    const callers: Record<string, string>[] = [
      {},
      { 'x-api-key': key },
      { 'sec-fetch-mode': 'cors', accept: '*/*' },
    ];
    for (const headers of callers) {
      const answer = await call<ErrorBody>(kit, { method, path: url, headers });
      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(answer.body).toMatchObject({ code: 'NOT_FOUND' });
      expect(answer.body.message.split(/[ ;?]+/)).toContain(address);
    }
  });

  test('reads a document that is called “search”', async () => {
    const path = '/api/collections/things/documents';
    await must(call(kit, { method: 'POST', path, body: { id: 'search', title: 'a' }, as: { key } }));
    expect(await must(call(kit, { method: 'GET', path: `${path}/search`, as: { key } }))).toMatchObject({
      title: 'a',
    });
  });

  test('is told the same without a console', async () => {
    const bare = await startKit();
    const answer = await call<ErrorBody>(bare, { method: 'GET', path: '/collections' });
    expect(answer.status).toBe(404);
    expect(answer.body.message).toBe('There is no such path; did you mean /api/collections?');
    await bare.close();
  });

  test('is known by its key, though it accepts HTML', async () => {
    const shown: Record<string, string>[] = [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }];
    for (const headers of shown) {
      const answer = await kit.app.request('/collections', { headers: { accept: browser, ...headers } });
      expect(answer.status).toBe(404);
    }
  });

  test('has other methods refused as a browser has', async () => {
    const answer = await kit.app.request('/dashboard', { method: 'POST', headers: { accept: browser } });
    expect(answer.status).toBe(404);
  });
});
