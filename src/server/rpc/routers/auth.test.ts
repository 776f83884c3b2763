import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from '#server/testing/callers.ts';
import { administer } from '#server/testing/databases.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { type Cookies, callAs, newTenant, testPassword } from '#server/testing/procedure-caller.ts';

describe('signing in and out', () => {
  let kit: Kit;
  beforeAll(async () => {
    kit = await startKit();
  });
  afterAll(() => kit.close());

  const register = (name: string) => ({
    email: `${name}@example.org`,
    username: name,
    password: testPassword,
    confirmPassword: testPassword,
  });

  test('a session planted before signing in is worth nothing afterwards', async () => {
    const { deps } = kit;
    const attacker = await newTenant(deps);
    const cookies: Cookies = [];
    const planted = callAs(deps, attacker.principal, cookies);
    const { user } = await planted.auth.register(register('victim'));
    expect(await deps.auth.authenticateSession(attacker.cookieValue)).toBeNull();
    const own = await deps.auth.authenticateSession(cookies.at(-1)?.value ?? '');
    expect(own?.principal.userId).toBe(user.id);
  });

  test('each sign-in has a session of its own, and ends the one it came with', async () => {
    const { deps } = kit;
    const { user, principal, cookieValue } = await newTenant(deps);
    const input = { email: user.email, password: testPassword };
    const cookies: Cookies = [];
    await callAs(deps, null, cookies).auth.login(input);
    await callAs(deps, principal, cookies).auth.login(input);
    const values = cookies.map((cookie) => cookie?.value ?? '');
    expect(new Set([...values, cookieValue]).size).toBe(3);
    expect(await deps.auth.authenticateSession(cookieValue)).toBeNull();
    for (const value of values) expect(await deps.auth.authenticateSession(value)).not.toBeNull();
  });

  test('logout ends the session on the server, not only the cookie', async () => {
    const { deps } = kit;
    const { principal, cookieValue } = await newTenant(deps);
    const cookies: Cookies = [];
    expect(await callAs(deps, principal, cookies).auth.logout()).toEqual({ ok: true });
    expect(cookies).toEqual([null]);
    expect(await deps.auth.authenticateSession(cookieValue)).toBeNull();
    expect(await callAs(deps, null).auth.logout()).toEqual({ ok: true });
  });

  test('me says who is signed in, and nobody to nobody and to a key', async () => {
    const { deps } = kit;
    const { call, user, project } = await newTenant(deps);
    expect(await call.auth.me()).toEqual({ user });
    expect(await callAs(deps, null).auth.me()).toEqual({ user: null });
    const { key } = await call.apiKeys.create({ name: 'Key', projectId: project.id });
    const byKey = callAs(deps, await deps.auth.authenticateKey(key ?? ''));
    expect(await byKey.auth.me()).toEqual({ user: null });
  });

  test('a forgotten password is answered before anything is looked up, whoever’s it is', async () => {
    const { user } = await newTenant(kit.deps);
    const ask = (email: string) =>
      call<unknown>(kit, { method: 'POST', path: '/api/auth/forgot-password', body: { email } });
    await administer(kit.deps.settings.databaseUrl ?? '', async (other) => {
      await other`begin`;
      await other`lock table users, password_resets in access exclusive mode`;
      const answers = [await ask(user.email), await ask('nobody@example.org')];
      for (const { status, body } of answers) expect([status, body]).toEqual([200, { ok: true }]);
      await other`commit`;
    });
  });

  test('after a right password the code signs in, over REST too, and its cookie is used up', async () => {
    const { user, principal, call: own } = await newTenant(kit.deps);
    const { secret } = await own.secondFactor.start({ password: testPassword });
    const codeAfter = (ms: number) => new TOTP({ secret }).generate({ timestamp: Date.now() + ms });
    const { recoveryCodes } = await own.secondFactor.confirm({ code: codeAfter(0) });
    expect(await callAs(kit.deps, principal).secondFactor.get()).toEqual({
      isOn: true,
      recoveryCodesLeft: 10,
    });
    const post = (path: string, body: object, cookie?: string) =>
      call<unknown>(kit, { method: 'POST', path: `/api/auth/${path}`, body, cookie });
    const shown = await post('login', { email: user.email, password: testPassword });
    expect([shown.status, shown.body]).toEqual([200, { user: null, secondFactor: 'required' }]);
    const [cookie = '', ...more] = shown.headers.getSetCookie();
    expect(more).toEqual([]);
    expect(cookie).toMatch(/^vectora_pending=[\w.-]+; Path=\/; Expires=.*; HttpOnly; SameSite=Lax$/);
    const pending = cookie.split(';')[0] ?? '';
    const me = await call(kit, { method: 'GET', path: '/api/auth/me', cookie: pending });
    expect(me.status).toBe(401);
    const wrong = await post('second-step', { code: '000000' }, pending);
    expect([wrong.status, wrong.body]).toMatchObject([401, { details: [{ path: 'code' }] }]);
    expect((await post('second-step', { code: '000000' })).status).toBe(401);
    const refused = kit.logLines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ message, action }) => message === 'refused' && action === 'auth.secondStep');
    expect(refused.map(({ actor }) => actor)).toEqual([`user ${user.id}`, 'nobody']);
    const entered = await post('second-step', { code: recoveryCodes[0] }, pending);
    expect([entered.status, entered.body]).toEqual([200, { user }]);
    const set = entered.headers.getSetCookie().map((one) => one.split('=')[0]);
    expect(set.sort()).toEqual(['vectora_device', 'vectora_pending', 'vectora_session']);
  });

  test('passwords that differ, short ones and bad names are refused field by field', async () => {
    const call = callAs(kit.deps, null);
    const good = register('somebody');
    const refusals: [object, string][] = [
      [{ confirmPassword: 'another engine' }, "Passwords don't match"],
      [{ password: 'short', confirmPassword: 'short' }, 'password'],
      [{ email: 'not an email' }, 'email'],
      [{ username: 'with space' }, 'username'],
      [{ firstName: 'x'.repeat(129) }, 'firstName'],
    ];
    for (const [change, words] of refusals) {
      await expect(call.auth.register({ ...good, ...change })).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        message: expect.stringContaining(words),
      });
    }
  });

  test('the log holds neither passwords nor cookies', async () => {
    const cookies: Cookies = [];
    const call = callAs(kit.deps, null, cookies);
    await call.auth.register(register('quiet'));
    const attempt = call.auth.login({ email: 'nobody@example.org', password: 'a secret of mine' });
    await expect(attempt).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    const log = kit.logLines.join('\n');
    for (const secret of [testPassword, 'a secret of mine', cookies[0]?.value ?? '']) {
      expect(log).not.toContain(secret);
    }
  });
});
