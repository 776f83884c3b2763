import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, type SignedUp, signUp } from '#server/testing/callers.ts';
import { fakeClock } from '#server/testing/fake-clock.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { limits } from '#shared/limits.ts';
import type { Session } from '#shared/sessions.ts';

const minuteMs = 60_000;
const password = 'correct horse battery staple';

describe('sessions', () => {
  const { clock, pass } = fakeClock(new Date());
  let kit: Kit;
  beforeAll(async () => {
    kit = await startKit({ clock, settings: { trustProxy: true } });
  });
  afterAll(() => kit.close());

  async function signIn(email: string, headers: Record<string, string> = {}): Promise<{ cookie: string }> {
    const body = { email, password };
    const answer = await call(kit, { method: 'POST', path: '/api/auth/login', body, headers });
    return { cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
  }
  const list = async (as: SignedUp['as'], query = '') =>
    (await call<Session[]>(kit, { method: 'GET', path: `/api/auth/sessions${query}`, as })).body;
  const isIn = async (as: SignedUp['as']) =>
    (await call(kit, { method: 'GET', path: '/api/auth/me', as })).status === 200;

  test('are listed to their owner, the newest first, with what tells them apart', async () => {
    const { user, as } = await signUp(kit);
    await signUp(kit);
    pass(minuteMs);
    const headers = { 'user-agent': `Firefox ${'x'.repeat(1_000)}`, 'x-forwarded-for': '[2001:db8::7]:4711' };
    await signIn(user.email, headers);
    const [phone, here, ...none] = await list(as);
    expect(none).toEqual([]);
    expect(phone).toMatchObject({
      address: '2001:db8:0:0::/64',
      userAgent: headers['user-agent'].slice(0, 300),
      isCurrent: false,
    });
    expect(here).toMatchObject({ isCurrent: true, userAgent: null });
    expect(Date.parse(phone?.createdAt ?? '') - Date.parse(here?.createdAt ?? '')).toBe(minuteMs);
    expect(Object.keys(phone ?? {}).sort()).toEqual([
      'address',
      'createdAt',
      'expiresAt',
      'id',
      'isCurrent',
      'lastSeenAt',
      'userAgent',
    ]);
  });

  test('say when they were last seen, to some minutes', async () => {
    const { user, as } = await signUp(kit);
    const phone = await signIn(user.email);
    const seenAfter = async () => {
      const [session] = await list(as);
      return Date.parse(session?.lastSeenAt ?? '') - Date.parse(session?.createdAt ?? '');
    };
    pass(4 * minuteMs);
    await isIn(phone);
    await kit.deps.auth.flush();
    expect(await seenAfter()).toBe(0);
    pass(4 * minuteMs);
    await isIn(phone);
    await kit.deps.auth.flush();
    expect(await seenAfter()).toBe(8 * minuteMs);
  });

  test('end one by one, at once, and nobody else’s', async () => {
    const { user, as } = await signUp(kit);
    const stranger = await signUp(kit);
    const phone = await signIn(user.email);
    expect(await isIn(phone)).toBe(true);
    const [session] = await list(as);
    const end = (who: SignedUp['as']) =>
      call<Session>(kit, { method: 'DELETE', path: `/api/auth/sessions/${session?.id}`, as: who });
    expect((await end(stranger.as)).status).toBe(404);
    expect(await isIn(phone)).toBe(true);
    const { status, body, headers } = await end(as);
    expect([status, body.id, headers.getSetCookie()]).toEqual([200, session?.id, []]);
    expect(await isIn(phone)).toBe(false);
    expect((await end(as)).status).toBe(404);
  });

  test('the own one can be ended too, and its cookie goes', async () => {
    const { as } = await signUp(kit);
    const [own] = await list(as);
    const { headers } = await call(kit, { method: 'DELETE', path: `/api/auth/sessions/${own?.id}`, as });
    expect(headers.getSetCookie()[0]).toMatch(/^vectora_session=; Max-Age=0/);
    expect(await isIn(as)).toBe(false);
  });

  test('all others end at once', async () => {
    const { user, as } = await signUp(kit);
    const others = [await signIn(user.email), await signIn(user.email)];
    const stranger = await signUp(kit);
    const endOthers = () => call(kit, { method: 'DELETE', path: '/api/auth/sessions', as });
    expect((await endOthers()).body).toEqual({ ended: 2 });
    expect(await Promise.all([as, stranger.as, ...others].map(isIn))).toEqual([true, true, false, false]);
    expect((await endOthers()).body).toEqual({ ended: 0 });
  });

  test('of others end only for somebody who has signed in within a quarter of an hour', async () => {
    const { user, as } = await signUp(kit);
    const phone = await signIn(user.email);
    const [session] = await list(as);
    const end = (who: SignedUp['as'], path: string) =>
      call<{ code: string; message: string }>(kit, { method: 'DELETE', path, as: who });
    const one = `/api/auth/sessions/${session?.id}`;
    pass(15 * minuteMs + 1);
    for (const path of [one, '/api/auth/sessions']) {
      const { status, body } = await end(as, path);
      expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
      expect(body.message).toContain('sign in again');
    }
    expect(await isIn(phone)).toBe(true);
    const again = await signIn(user.email);
    pass(15 * minuteMs);
    expect((await end(again, one)).status).toBe(200);
    expect(await isIn(phone)).toBe(false);
    expect((await end(again, '/api/auth/sessions')).status).toBe(200);
    expect([await isIn(as), await isIn(again)]).toEqual([false, true]);
    pass(minuteMs);
    const [own] = await list(again);
    expect((await end(again, `/api/auth/sessions/${own?.id}`)).status).toBe(200);
  });

  test('of more than an account may have, the oldest end', async () => {
    const { user, as } = await signUp(kit);
    expect(await isIn(as)).toBe(true);
    let last = as;
    for (let i = 1; i < limits.sessionsPerAccountMax; i++) last = await signIn(user.email);
    expect(await isIn(as)).toBe(true);
    last = await signIn(user.email);
    expect(await isIn(as)).toBe(false);
    expect(await list(last, '?per_page=250')).toHaveLength(limits.sessionsPerAccountMax);
  });

  test('that have ended by themselves are not listed', async () => {
    const { user } = await signUp(kit);
    pass(8 * 24 * 60 * minuteMs);
    expect(await list(await signIn(user.email))).toHaveLength(1);
  });
});
