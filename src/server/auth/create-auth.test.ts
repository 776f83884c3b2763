import { hash } from '@node-rs/argon2';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RecordStore } from '#server/db/client.ts';
import { users } from '#server/db/schema/accounts.ts';
import { events } from '#server/db/schema/activity.ts';
import { members, workspaces } from '#server/db/schema/workspaces.ts';
import { readSettings, type Settings } from '#server/env.ts';
import { dumpRecord } from '#server/testing/dump.ts';
import { openTestRecord } from '#server/testing/open-record.ts';
import { from, makeTestAuth, newAccount, accountPassword as password } from '#server/testing/test-auth.ts';

describe('accounts', () => {
  let record: RecordStore;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ record, close } = await openTestRecord());
  });
  afterAll(() => close());

  const makeAuth = (settings: Partial<Settings> = {}) => makeTestAuth(record, settings);

  test('a new account is signed in and owns a first workspace with a project', async () => {
    const { auth } = makeAuth();
    const { user, session } = await auth.register(
      newAccount({ email: 'Ada@Example.org', firstName: 'Ada' }),
      from('a'),
    );
    expect(user).toMatchObject({ email: 'Ada@Example.org', firstName: 'Ada', lastName: null });
    const found = await auth.authenticateSession(session.cookieValue);
    expect(found?.principal.userId).toBe(user.id);
    const owned = await record.db
      .select({ name: workspaces.name, slug: workspaces.slug, role: members.role, event: events.type })
      .from(members)
      .innerJoin(workspaces, eq(workspaces.id, members.workspaceId))
      .innerJoin(events, eq(events.workspaceId, workspaces.id))
      .where(eq(members.userId, user.id))
      .orderBy(events.id);
    const first = { name: "Ada's Workspace", slug: 'ada-s-workspace', role: 'owner' };
    expect(owned).toEqual([
      { ...first, event: 'workspace_created' },
      { ...first, event: 'project_created' },
    ]);
  });

  test('without a first name the workspace bears the username', async () => {
    const { auth } = makeAuth();
    const { user } = await auth.register(newAccount({ username: 'countess' }), from('a'));
    const [owned] = await record.db
      .select({ name: workspaces.name })
      .from(members)
      .innerJoin(workspaces, eq(workspaces.id, members.workspaceId))
      .where(eq(members.userId, user.id));
    expect(owned?.name).toBe("countess's Workspace");
  });

  test('a taken email or username is a conflict that names the field, however it is cased or composed', async () => {
    const { auth } = makeAuth();
    await auth.register(newAccount({ email: 'grace@example.org', username: 'Éclair' }), from('a'));
    await expect(auth.register(newAccount({ email: 'GRACE@example.ORG' }), from('a'))).rejects.toMatchObject({
      code: 'CONFLICT',
      details: [{ path: 'email' }],
    });
    await expect(auth.register(newAccount({ username: 'E\u0301CLAIR' }), from('a'))).rejects.toMatchObject({
      code: 'CONFLICT',
      details: [{ path: 'username' }],
    });
    const both = newAccount({ email: 'grace@example.org', username: 'éclair' });
    await expect(auth.register(both, from('a'))).rejects.toMatchObject({
      code: 'CONFLICT',
      details: [{ path: 'email' }, { path: 'username' }],
    });
  });

  test('of many sign-ups with one email at the same moment, one succeeds and leaves one workspace', async () => {
    const { auth } = makeAuth();
    const workspacesBefore = await record.db.$count(workspaces);
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, () => auth.register(newAccount({ email: 'twin@example.org' }), from('a'))),
    );
    const refusals = results.filter((result) => result.status === 'rejected');
    expect(refusals).toHaveLength(5);
    for (const { reason } of refusals) expect(reason).toMatchObject({ code: 'CONFLICT' });
    expect(await record.db.$count(workspaces)).toBe(workspacesBefore + 1);
  });

  test('common passwords are refused, closed sign-up is refused', async () => {
    const weak = { password: 'password123', confirmPassword: 'password123' };
    await expect(makeAuth().auth.register(newAccount(weak), from('a'))).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      details: [{ path: 'password' }],
    });
    await expect(makeAuth({ signup: 'closed' }).auth.register(newAccount(), from('a'))).rejects.toMatchObject(
      {
        code: 'FORBIDDEN',
      },
    );
  });

  test('login answers the same to a wrong password and to an unknown email', async () => {
    const { auth } = makeAuth();
    const { email } = newAccount();
    await auth.register(newAccount({ email }), from('a'));
    expect(await auth.login({ email: email.toUpperCase(), password }, from('a'))).toMatchObject({
      user: { email },
    });
    const refusalOf = async (input: { email: string; password: string }) => {
      const error: unknown = await auth.login(input, from('a')).catch((reason: unknown) => reason);
      return JSON.stringify(
        error,
        Object.getOwnPropertyNames(error).filter((name) => name !== 'stack'),
      );
    };
    const wrong = await refusalOf({ email, password: 'difference engine' });
    expect(wrong).toContain('Invalid email or password');
    expect(await refusalOf({ email: 'nobody@example.org', password })).toBe(wrong);
  });

  test('a password is taken as it is typed, all of it', async () => {
    const { auth } = makeAuth();
    const typed = ` Ünusual  words, ${'and more of them '.repeat(9)}`;
    const { user } = await auth.register(newAccount({ password: typed, confirmPassword: typed }), from('a'));
    const login = (given: string) => auth.login({ email: user.email, password: given }, from('a'));
    expect(typed.length).toBeGreaterThan(128);
    const others = [
      typed.trim(),
      typed.slice(0, -1),
      typed.slice(0, 72),
      typed.toLowerCase(),
      typed.replace('  ', ' '),
    ];
    for (const other of others) await expect(login(other)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    // The same characters, from a keyboard that composes them otherwise.
    for (const same of [typed, typed.normalize('NFD')])
      expect(await login(same)).toMatchObject({ user: { id: user.id } });
  });

  test('a hash made with other parameters is renewed when its owner signs in', async () => {
    const { auth } = makeAuth({ passwordHashBytes: 2 * 1024 * 1024, passwordHashPasses: 2 });
    const { user } = await auth.register(newAccount(), from('a'));
    const old = await hash(password, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    await record.write((db) => db.update(users).set({ passwordHash: old }).where(eq(users.id, user.id)));
    await auth.login({ email: user.email, password }, from('a'));
    const [row] = await record.db.select().from(users).where(eq(users.id, user.id));
    expect(row?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=2048,t=2,p=1\$/);
    await auth.login({ email: user.email, password }, from('a'));
  });

  test('unless told otherwise passwords are hashed above OWASP’s minimum: argon2id, 64 MiB, three passes', async () => {
    const { passwordHashBytes, passwordHashPasses } = readSettings({});
    const { auth } = makeAuth({ passwordHashBytes, passwordHashPasses });
    const { user } = await auth.register(newAccount(), from('a'));
    const [row] = await record.db.select().from(users).where(eq(users.id, user.id));
    const [, algorithm, version, parameters = ''] = row?.passwordHash.split('$') ?? [];
    expect([algorithm, version, parameters]).toEqual(['argon2id', 'v=19', 'm=65536,t=3,p=1']);
    const [kibibytes = 0, passes = 0] = [...parameters.matchAll(/[mt]=(\d+)/g)].map(([, value]) =>
      Number(value),
    );
    expect(kibibytes).toBeGreaterThan(19 * 1_024);
    expect(passes).toBeGreaterThan(2);
  });

  test('a stolen dump opens nothing: no password, no cookie, and stored session ids are not cookies', async () => {
    const { auth } = makeAuth();
    const { session } = await auth.register(newAccount(), from('a'));
    const found = await auth.authenticateSession(session.cookieValue);
    const dump = await dumpRecord(record);
    expect(dump).toContain(found?.principal.sessionId);
    expect(dump).not.toContain(session.cookieValue);
    expect(dump).not.toContain(password);
    expect(await auth.authenticateSession(found?.principal.sessionId ?? '')).toBeNull();
  });
});
