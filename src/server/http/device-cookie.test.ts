import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeApiKey } from '../auth/keys/key-format.ts';
import { call, signUp } from '../testing/callers.ts';
import { type Kit, startKit } from '../testing/kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit({
    settings: { trustProxy: true, loginFreeTries: 2, loginTriesPerAccount: 4, unknownKeysPerAddress: 2 },
  });
});
afterAll(() => kit.close());

const password = 'correct horse battery staple';

function login(email: string, given: { password: string; address: string; cookie?: string }) {
  const headers: Record<string, string> = { 'x-forwarded-for': `198.51.100.1, ${given.address}` };
  if (given.cookie) Object.assign(headers, { cookie: given.cookie, origin: 'http://localhost' });
  const body = { email, password: given.password };
  return call(kit, { method: 'POST', path: '/api/auth/login', body, headers });
}

test('a browser that has signed in gets in while strangers have to wait, and its cookie signs nobody in', async () => {
  const { user } = await signUp(kit);
  const first = await login(user.email, { password, address: '203.0.113.1' });
  const [session = '', device = ''] = first.headers.getSetCookie();
  expect(session).toMatch(/^vectora_session=/);
  expect(device).toMatch(/^vectora_device=[\w.-]+; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/);
  const [cookie = ''] = device.split(';');

  for (const last of [10, 11, 12, 13, 10])
    await login(user.email, { password: 'wrong', address: `203.0.113.${last}` });
  const stranger = await login(user.email, { password, address: '203.0.113.11:4711' });
  expect([stranger.status, Number(stranger.headers.get('retry-after')) > 0]).toEqual([429, true]);
  const known = await login(user.email, { password, address: '203.0.113.11', cookie });
  expect(known.status).toBe(200);

  const me = await call(kit, { method: 'GET', path: '/api/auth/me', headers: { cookie } });
  expect(me.status).toBe(401);
});

test('an address that guesses keys is told to come back', async () => {
  const headers = () => ({ 'x-api-key': makeApiKey(), 'x-forwarded-for': '[2001:db8::1]:4711' });
  const ask = (path: string) => call(kit, { method: 'GET', path, headers: headers() });
  const statuses: number[] = [];
  for (let i = 0; i < 3; i++) statuses.push((await ask('/api/collections')).status);
  expect(statuses).toEqual([401, 401, 429]);
  const overTrpc = await ask('/trpc/collections.list');
  expect([overTrpc.status, Number(overTrpc.headers.get('retry-after')) > 0]).toEqual([429, true]);
});
