import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
