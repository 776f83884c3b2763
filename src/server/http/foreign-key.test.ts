import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, createTenant, signUp } from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import type { ErrorBody } from '#shared/errors.ts';

/** A key that is sent as another product takes it. */
let kit: Kit;
let key: string;
beforeAll(async () => {
  kit = await startKit({ logLevel: 'debug', settings: { publicUrl: null } });
  key = (await createTenant(kit, { name: 'films' })).key.key;
});
afterAll(() => kit.close());

const search = '/api/collections/films/search?q=star';
const get = (path: string, headers: Record<string, string>) =>
  call<ErrorBody>(kit, { method: 'GET', path, headers });

test.each([
  ['x-typesense-api-key', '/documentation/coming-from-typesense.md'],
  ['x-algolia-api-key', '/documentation/rest.md'],
  ['x-meili-api-key', '/documentation/rest.md'],
])(
  'a key in %s is answered by which header is right, and by an article that anybody can read',
  async (name, guide) => {
    const secret = 'xyz-never-told-4711';
    const sent = [get(search, { [name]: secret }), get(`${search}&${name}=${secret}`, {})];
    for (const answer of await Promise.all(sent)) {
      expect(answer.status).toBe(401);
      expect(answer.body.message.toLowerCase()).toContain(`${name} is not read here`);
      expect(answer.body.message).toContain('X-API-Key header, or as Authorization: Bearer');
      expect(answer.body.message).toContain(guide);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      // A page of another site can read it.
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(JSON.stringify(answer.body)).not.toContain(secret);
    }
    expect(kit.logLines.length).toBeGreaterThan(0);
    expect(kit.logLines.join('\n')).not.toContain(secret);
    expect((await kit.app.request(guide)).status).toBe(200);
  },
);

test('beside a key that is read, good or bad, it says nothing', async () => {
  const foreign = { 'x-typesense-api-key': key };
  expect((await get(search, { ...foreign, 'x-api-key': key })).status).toBe(200);
  expect((await get(search, { ...foreign, authorization: `Bearer ${key}` })).status).toBe(200);
  const bad = await get(search, { ...foreign, 'x-api-key': 'wrong' });
  expect([bad.status, bad.body.message]).toEqual([401, 'This API key is not valid']);
});

test('where no key helps, nothing is said of keys', async () => {
  const answer = await get('/api/workspaces', { 'x-typesense-api-key': 'a' });
  expect([answer.status, answer.body.message]).toEqual([401, 'Sign in to do this']);
  expect(answer.headers.get('access-control-allow-origin')).toBeNull();
});

test('who is signed in is answered as ever', async () => {
  const { as } = await signUp(kit);
  const request = { method: 'GET', path: '/api/collections', as, headers: { 'x-meili-api-key': 'a' } };
  const answer = await call(kit, request);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('access-control-allow-origin')).toBeNull();
});
