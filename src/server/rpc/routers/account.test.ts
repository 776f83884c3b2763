import { and, eq } from 'drizzle-orm';
import { TOTP } from 'otpauth';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { auditEntries } from '#server/db/schema/audit-entries.ts';
import { members, workspaces } from '#server/db/schema/workspaces.ts';
import {
  call,
  createProject,
  createTenant,
  must,
  type SignedUp,
  signIn,
  signUp,
} from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { startMailServer } from '#server/testing/mail-server.ts';
import type { PendingEmail, Profile, User } from '#shared/accounts.ts';
import type { ErrorBody } from '#shared/errors.ts';
import { purge } from '../deletion/purge.ts';

const password = 'correct horse battery staple';

function accountOf(kit: Kit, { as }: SignedUp) {
  const put = (body: object) =>
    call<Profile & ErrorBody>(kit, { method: 'PUT', path: '/api/account', body, as });
  return {
    put,
    update: (body: object): Promise<Profile> => must(put(body)),
    me: async () => (await must(call<{ user: User }>(kit, { method: 'GET', path: '/api/auth/me', as }))).user,
    pending: async () => {
      const answer = call<{ result: { data: PendingEmail | null } }>(kit, {
        method: 'GET',
        path: '/trpc/account.pendingEmail',
        as,
      });
      return (await must(answer)).result.data;
    },
  };
}

const signInWith = (kit: Kit, email: string) =>
  call(kit, { method: 'POST', path: '/api/auth/login', body: { email, password } });

describe('a profile', () => {
  let kit: Kit;
  beforeAll(async () => {
    kit = await startKit({ settings: { mail: null } });
  });
  afterAll(() => kit.close());

  test('has names that can be changed; what is absent stays, and empty is none', async () => {
    const owner = await signUp(kit);
    const { update, me } = accountOf(kit, owner);
    const { user } = await update({ firstName: ' Ada ', lastName: 'Lovelace' });
    expect(user).toMatchObject({ ...owner.user, firstName: 'Ada', lastName: 'Lovelace' });
    expect((await update({ lastName: '', username: `${user.username}-2` })).user).toMatchObject({
      firstName: 'Ada',
      lastName: null,
      username: `${user.username}-2`,
    });
    expect(await me()).toMatchObject({ firstName: 'Ada', lastName: null });
  });

  test('has no username and no email that somebody else has, in whatever case', async () => {
    const [owner, other] = [await signUp(kit), await signUp(kit)];
    const { put, me } = accountOf(kit, owner);
    const taken = await put({
      username: other.user.username.toUpperCase(),
      email: other.user.email.toUpperCase(),
      currentPassword: password,
    });
    expect(taken).toMatchObject({
      status: 409,
      body: {
        message: 'This email and this username are already taken',
        details: [
          { path: 'email', message: 'is already taken' },
          { path: 'username', message: 'is already taken' },
        ],
      },
    });
    expect(await me()).toMatchObject(owner.user);
    expect((await put({ username: owner.user.username.toUpperCase() })).status).toBe(200);
  });

  test('has another email by the password alone where no mail is sent, and at once', async () => {
    const owner = await signUp(kit);
    const { put, update } = accountOf(kit, owner);
    const email = `moved-${owner.user.email}`;
    expect(await put({ email, firstName: 'Ada' })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'currentPassword' }] },
    });
    expect(await put({ email, firstName: 'Ada', currentPassword: 'not it' })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'currentPassword', message: 'is not right' }] },
    });
    const { user, pendingEmail } = await update({ email, currentPassword: password });
    expect({ user, pendingEmail }).toMatchObject({
      user: { email, firstName: null },
      pendingEmail: null,
    });
    expect((await signInWith(kit, email)).status).toBe(200);
    expect((await signInWith(kit, owner.user.email)).status).toBe(401);
  });
});

describe('an account that is deleted', () => {
  let kit: Kit;
  beforeAll(async () => {
    kit = await startKit();
  });
  afterAll(() => kit.close());

  const remove = (owner: SignedUp, body: object = { password }) =>
    call<ErrorBody>(kit, { method: 'POST', path: '/api/account/delete', body, as: owner.as });
  const isIn = async ({ as }: SignedUp) =>
    (await call(kit, { method: 'GET', path: '/api/auth/me', as })).status === 200;

  test('is gone with what was its alone, and its names are free', async () => {
    const { owner, key } = await createTenant(kit);
    const elsewhere = await signIn(kit, owner.user);
    expect(await remove(owner, { password: 'not it' })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'password', message: 'is not right' }] },
    });
    expect(await isIn(owner)).toBe(true);
    const { status, headers } = await remove(owner);
    expect(status).toBe(200);
    expect(headers.getSetCookie().join()).toContain('Max-Age=0');
    expect(await isIn(owner)).toBe(false);
    expect(await isIn({ ...owner, as: elsewhere.as })).toBe(false);
    expect((await signInWith(kit, owner.user.email)).status).toBe(401);
    const list = { method: 'GET', path: '/api/collections', as: { key: key.key } };
    expect((await call(kit, list)).status).toBe(401);
    const { db } = kit.deps.record;
    const [workspace] = await db.select().from(workspaces).where(eq(workspaces.id, owner.workspace.id));
    expect(workspace?.deletedAt).not.toBeNull();
    const [entry] = await db.select().from(auditEntries).where(eq(auditEntries.action, 'account.delete'));
    expect(entry).toMatchObject({
      actorName: owner.user.username,
      before: { workspaces: [owner.workspace.name] },
    });
    expect((await signUp(kit, owner.user.username)).user.id).not.toBe(owner.user.id);
  });

  test('waits for no row of its history: that names nobody, and conversations go in slices', async () => {
    const [owner, other] = [await signUp(kit), await signUp(kit)];
    const { id } = owner.workspace;
    const { record, clock, log, settings } = kit.deps;
    await record.write((db) =>
      db.insert(members).values({ workspaceId: id, userId: other.user.id, role: 'owner' }),
    );
    const project = await createProject(kit, owner);
    await record.sql`insert into events (workspace_id, actor_id, type, description)
      select ${id}, ${owner.user.id}, 'project_created', 'x' from generate_series(1, 3000)`;
    await record.sql`with talk as (
        insert into conversations (project_id, user_id, name) values (${project.id}, ${owner.user.id}, 'x') returning id)
      insert into conversation_messages (conversation_id, project_id, role, content)
      select id, ${project.id}, 'user', 'x' from talk, generate_series(1, 4500)`;
    const countMessages = async () =>
      (await record.sql`select from conversation_messages where project_id = ${project.id}`).length;
    expect((await remove(owner)).status).toBe(200);
    expect(await countMessages()).toBe(4_500);
    const [left] =
      await record.sql`select count(*)::int as events from events where actor_id = ${owner.user.id}`;
    expect(left?.['events']).toBeGreaterThanOrEqual(3_000);
    const path = `/api/dashboard/recent-activity?workspaceId=${id}`;
    const shown = await call<{ actor: string | null }[]>(kit, { method: 'GET', path, as: other.as });
    expect(new Set(shown.body.map(({ actor }) => actor))).toEqual(new Set([null]));
    const slices: number[] = [];
    const watched: typeof record = {
      ...record,
      async write(work, options) {
        const result = await record.write(work, options);
        slices.push((result as { count: number }).count);
        return result;
      },
    };
    const purgeAfterMs = 60_000;
    const later = () => new Date(clock().getTime() + 2 * purgeAfterMs);
    const { auditKeepDays } = settings;
    await purge({
      record: watched,
      clock: later,
      log,
      purgeAfterMs,
      auditKeepDays,
      dropIndex: async () => undefined,
    });
    expect(Math.max(...slices)).toBe(2_000);
    expect(await countMessages()).toBe(0);
    expect(await record.sql`select from conversations where user_id = ${owner.user.id}`).toEqual([]);
  });

  test('leaves others no workspace without an owner', async () => {
    const [owner, other] = [await signUp(kit), await signUp(kit)];
    const shared = eq(members.workspaceId, owner.workspace.id);
    const member = { workspaceId: owner.workspace.id, userId: other.user.id, role: 'viewer' as const };
    await kit.deps.record.write((db) => db.insert(members).values(member));
    expect(await remove(owner)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining(owner.workspace.name) },
    });
    expect(await isIn(owner)).toBe(true);
    const ofOther = and(shared, eq(members.userId, other.user.id));
    await kit.deps.record.write((db) => db.update(members).set({ role: 'owner' }).where(ofOther));
    expect((await remove(owner)).status).toBe(200);
    const path = `/api/workspaces/${owner.workspace.id}/membership`;
    expect(await must(call(kit, { method: 'GET', path, as: other.as }))).toEqual({
      role: 'owner',
      members: 1,
      owners: 1,
    });
  });

  test('takes a code where signing in does', async () => {
    const owner = await signUp(kit);
    const ask = <T>(name: string, body: object) =>
      must(call<{ result: { data: T } }>(kit, { method: 'POST', path: `/trpc/${name}`, body, as: owner.as }));
    const { secret } = (await ask<{ secret: string }>('secondFactor.start', { password })).result.data;
    const codeAfter = (steps: number) =>
      new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });
    await ask('secondFactor.confirm', { code: codeAfter(0) });
    const wrong = { status: 400, body: { details: [{ path: 'code' }] } };
    expect(await remove(owner)).toMatchObject(wrong);
    expect(await remove(owner, { password, code: '000000' })).toMatchObject(wrong);
    expect(await isIn(owner)).toBe(true);
    expect((await remove(owner, { password, code: codeAfter(1) })).status).toBe(200);
  });
});

describe('another email, where mail is sent', () => {
  let kit: Kit;
  let mail: Awaited<ReturnType<typeof startMailServer>>;
  let isRefusing = false;
  beforeAll(async () => {
    mail = await startMailServer({
      onRcptTo: (_address, _session, done) => done(isRefusing ? new Error('no such mailbox') : null),
    });
    const settings = {
      mail: { url: mail.url, from: 'vectora@example.org' },
    };
    kit = await startKit({ settings });
  });
  afterEach(() => {
    isRefusing = false;
    mail.letters.length = 0;
  });
  afterAll(async () => {
    await kit.close();
    await mail.close();
  });

  const tokenOf = (text = '') => /\/confirm-email\/([\w-]{43})\s/.exec(text)?.[1] ?? '';
  const open = (path: 'email-link' | 'confirm-email', token: string) =>
    call<{ email: string }>(kit, { method: 'POST', path: `/api/account/${path}`, body: { token } });

  test('counts once the link that was sent there is opened, and the former address is told', async () => {
    const owner = await signUp(kit);
    const { update, me, pending } = accountOf(kit, owner);
    const email = `moved-${owner.user.email}`;
    const changed = await update({ email, firstName: 'Ada', currentPassword: password });
    expect(changed).toMatchObject({
      user: { email: owner.user.email, firstName: 'Ada' },
      pendingEmail: { email },
    });
    expect(await pending()).toMatchObject({ email });
    expect(mail.letters).toMatchObject([{ to: [email] }]);
    const token = tokenOf(mail.letters[0]?.text);
    expect(await must(open('email-link', token))).toMatchObject({ email });
    expect((await me()).email).toBe(owner.user.email);

    expect(await must(open('confirm-email', token))).toEqual({ email });
    expect((await me()).email).toBe(email);
    expect(await pending()).toBeNull();
    await expect.poll(() => mail.letters.at(-1)).toMatchObject({ to: [owner.user.email] });
    expect(mail.letters.at(-1)?.text).toContain(email);
    expect((await signInWith(kit, email)).status).toBe(200);
    expect((await open('confirm-email', token)).status).toBe(404);
  });

  test('is not changed where its letter cannot be sent, nor is anything else', async () => {
    const owner = await signUp(kit);
    const { put, me, pending } = accountOf(kit, owner);
    isRefusing = true;
    const asked = await put({ email: `no-${owner.user.email}`, firstName: 'Ada', currentPassword: password });
    expect(asked).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining('could not be sent') },
    });
    expect(await me()).toMatchObject(owner.user);
    expect(await pending()).toBeNull();
  });

  test('is given up by another one, by its owner and with the password', async () => {
    const owner = await signUp(kit);
    const { update, pending } = accountOf(kit, owner);
    const ask = async (name: string) => {
      await update({ email: `${name}-${owner.user.email}`, currentPassword: password });
      return tokenOf(mail.letters.at(-1)?.text);
    };
    const first = await ask('first');
    const second = await ask('second');
    expect((await open('email-link', first)).status).toBe(404);
    expect((await open('email-link', second)).status).toBe(200);
    const path = '/api/account/pending-email';
    await must(call(kit, { method: 'DELETE', path, as: owner.as }));
    await must(call(kit, { method: 'DELETE', path, as: owner.as }));
    expect((await open('confirm-email', second)).status).toBe(404);

    const third = await ask('third');
    const next = { currentPassword: password, password: `${password}!`, confirmPassword: `${password}!` };
    await must(call(kit, { method: 'PUT', path: '/api/auth/password', body: next, as: owner.as }));
    expect((await open('confirm-email', third)).status).toBe(404);
    expect(await pending()).toBeNull();
  });

  test('that somebody else has by now stays theirs', async () => {
    const owner = await signUp(kit);
    const { update, me } = accountOf(kit, owner);
    const name = `late-${owner.user.username}`;
    await update({ email: `${name}@example.com`, currentPassword: password });
    await signUp(kit, name);
    expect((await open('confirm-email', tokenOf(mail.letters[0]?.text))).status).toBe(409);
    expect((await me()).email).toBe(owner.user.email);
  });
});
