import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeAuditEntry } from '#server/audit/write-audit-entry.ts';
import { issueResetToken } from '#server/auth/passwords/reset-links.ts';
import { call, must, type SignedUp, signIn, signUp } from '#server/testing/callers.ts';
import { fakeClock } from '#server/testing/fake-clock.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import type { AccountEvent } from '#shared/account-activity.ts';

const minuteMs = 60_000;

describe('the activity of an account', () => {
  const { clock, pass } = fakeClock(new Date());
  let kit: Kit;
  beforeAll(async () => {
    kit = await startKit({ clock, settings: { trustProxy: true } });
  });
  afterAll(() => kit.close());

  const list = async (as: SignedUp['as'] | null, query = '') =>
    await call<AccountEvent[]>(kit, { method: 'GET', path: `/api/account/activity${query}`, as });
  const wrongPassword = (email: string, headers: Record<string, string>) => {
    const body = { email, password: 'not the password' };
    return call(kit, { method: 'POST', path: '/api/auth/login', body, headers });
  };

  test('has sign-ins and tries that failed, the newest first, with browser and address', async () => {
    const { user, as } = await signUp(kit);
    pass(minuteMs);
    await signIn(kit, user);
    pass(minuteMs);
    const headers = { 'user-agent': 'Firefox/145.0', 'x-forwarded-for': '203.0.113.9' };
    for (let i = 0; i < 2; i += 1) expect((await wrongPassword(user.email, headers)).status).toBe(401);
    await kit.deps.denials.flush();
    const events = await must(list(as));
    expect(events.map(({ action, outcome, times }) => [action, outcome, times])).toEqual([
      ['auth.login', 'refused', 2],
      ['auth.login', 'done', 1],
      ['auth.register', 'done', 1],
    ]);
    expect(events[0]).toEqual({
      id: expect.any(Number),
      createdAt: expect.any(String),
      action: 'auth.login',
      outcome: 'refused',
      times: 2,
      actor: 'user',
      by: null,
      address: '203.0.113.9',
      userAgent: 'Firefox/145.0',
    });
    const [tried, before] = events.map(({ createdAt }) => Date.parse(createdAt));
    expect((tried ?? 0) - (before ?? 0)).toBe(minuteMs);
  });

  test('has what an operator did with it, and nothing of workspaces', async () => {
    const { user, as, workspace } = await signUp(kit);
    const path = `/api/workspaces/${workspace.id}`;
    await must(call(kit, { method: 'PUT', path, body: { name: 'Renamed' }, as }));
    await kit.deps.record.write((tx) => issueResetToken(tx, { email: user.email, now: clock() }));
    const events = await must(list(as));
    expect(events.map(({ action, actor, address }) => [action, actor, address === null])).toEqual([
      ['auth.issueResetLink', 'operator', true],
      ['auth.register', 'user', false],
    ]);
  });

  test('tells a recovery code from the code of an app', async () => {
    const { user, as } = await signUp(kit);
    const actor = { kind: 'user', id: user.id, name: user.username } as const;
    const from = { address: '192.0.2.1', requestId: 'r1', userAgent: null };
    const act = { action: 'auth.secondStep', actor, workspaceId: null, target: null, from };
    for (const by of ['app', 'recovery code']) {
      pass(minuteMs);
      await kit.deps.record.write((tx) => writeAuditEntry(tx, { ...act, at: clock(), after: { by } }));
    }
    const events = await must(list(as));
    expect(events.map(({ action, by }) => [action, by])).toEqual([
      ['auth.secondStep', 'recovery code'],
      ['auth.secondStep', 'app'],
      ['auth.register', null],
    ]);
  });

  test('is its owner’s alone, and has pages', async () => {
    const [mine, other] = [await signUp(kit), await signUp(kit)];
    await signIn(kit, other.user);
    expect((await must(list(mine.as))).map(({ action }) => action)).toEqual(['auth.register']);
    expect((await list(null)).status).toBe(401);
    const page = await list(other.as, '?page=2&per_page=1');
    expect(page.body.map(({ action }) => action)).toEqual(['auth.register']);
    expect(page.headers.get('x-total-count')).toBe('2');
  });
});
