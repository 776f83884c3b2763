import { hash } from '@node-rs/argon2';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RecordStore } from '#server/db/client.ts';
import { users } from '#server/db/schema/accounts.ts';
import { events } from '#server/db/schema/activity.ts';
import { members, workspaces } from '#server/db/schema/workspaces.ts';
import { createLog } from '#server/log.ts';
import { dumpRecord } from '#server/testing/dump.ts';
import { fakeClock } from '#server/testing/fake-clock.ts';
import { openTestRecord } from '#server/testing/open-record.ts';
import { originAt } from '#server/testing/procedure-caller.ts';
import type { RegisterInput } from '#shared/accounts.ts';
import { createAuth } from './create-auth.ts';
import { createKnownCallers } from './known-callers.ts';

const password = 'analytical engine';
let person = 0;

function account(given: Partial<RegisterInput> = {}): RegisterInput {
  const name = `person${++person}`;
  const own = { email: `${name}@example.org`, username: name, firstName: null, lastName: null };
  return { ...own, password, confirmPassword: password, ...given };
}

describe('accounts', () => {
  let record: RecordStore;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ record, close } = await openTestRecord());
  });
  afterAll(() => close());

  function makeAuth(settings: Partial<Parameters<typeof createAuth>[0]['settings']> = {}) {
    const { clock, pass } = fakeClock();
    const limits = { loginFreeTries: 1_000, loginTriesPerAddress: 1_000, signupsPerAddress: 1_000 };
    const log = createLog('silent');
    const auth = createAuth({
      record,
      known: createKnownCallers({ record, clock }),
      settings: { signup: 'open', ...limits, ...settings },
      log,
      clock,
    });
    return { auth, pass };
  }

  test('a new account is signed in and owns a first workspace', async () => {
    const { auth } = makeAuth();
    const { user, session } = await auth.register(
      account({ email: 'Ada@Example.org', firstName: 'Ada' }),
      originAt('a'),
    );
    expect(user).toMatchObject({ email: 'Ada@Example.org', firstName: 'Ada', lastName: null });
    const found = await auth.authenticateSession(session.cookieValue);
    expect(found?.principal.userId).toBe(user.id);
    const owned = await record.db
      .select({ name: workspaces.name, slug: workspaces.slug, role: members.role, event: events.type })
      .from(members)
      .innerJoin(workspaces, eq(workspaces.id, members.workspaceId))
      .innerJoin(events, eq(events.workspaceId, workspaces.id))
      .where(eq(members.userId, user.id));
    expect(owned).toEqual([
      { name: "Ada's Workspace", slug: 'ada-s-workspace', role: 'owner', event: 'workspace_created' },
    ]);
  });

  test('without a first name the workspace bears the username', async () => {
    const { auth } = makeAuth();
    const { user } = await auth.register(account({ username: 'countess' }), originAt('a'));
    const [owned] = await record.db
      .select({ name: workspaces.name })
      .from(members)
      .innerJoin(workspaces, eq(workspaces.id, members.workspaceId))
      .where(eq(members.userId, user.id));
    expect(owned?.name).toBe("countess's Workspace");
  });

  test('a taken email or username is a conflict that names the field, however it is cased or composed', async () => {
    const { auth } = makeAuth();
    await auth.register(account({ email: 'grace@example.org', username: 'Éclair' }), originAt('a'));
    await expect(auth.register(account({ email: 'GRACE@example.ORG' }), originAt('a'))).rejects.toMatchObject(
      {
        code: 'CONFLICT',
        details: [{ path: 'email' }],
      },
    );
    await expect(auth.register(account({ username: 'E\u0301CLAIR' }), originAt('a'))).rejects.toMatchObject({
      code: 'CONFLICT',
      details: [{ path: 'username' }],
    });
    const both = account({ email: 'grace@example.org', username: 'éclair' });
    await expect(auth.register(both, originAt('a'))).rejects.toMatchObject({
      code: 'CONFLICT',
      details: [{ path: 'email' }, { path: 'username' }],
    });
  });

  test('of many sign-ups with one email at the same moment, one succeeds and leaves one workspace', async () => {
    const { auth } = makeAuth();
    const workspacesBefore = await record.db.$count(workspaces);
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, () => auth.register(account({ email: 'twin@example.org' }), originAt('a'))),
    );
    const refusals = results.filter((result) => result.status === 'rejected');
    expect(refusals).toHaveLength(5);
    for (const { reason } of refusals) expect(reason).toMatchObject({ code: 'CONFLICT' });
    expect(await record.db.$count(workspaces)).toBe(workspacesBefore + 1);
  });

  test('common passwords are refused, closed sign-up is refused', async () => {
    const weak = { password: 'password123', confirmPassword: 'password123' };
    await expect(makeAuth().auth.register(account(weak), originAt('a'))).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      details: [{ path: 'password' }],
    });
    await expect(
      makeAuth({ signup: 'closed' }).auth.register(account(), originAt('a')),
    ).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  test('login answers the same to a wrong password and to an unknown email', async () => {
    const { auth } = makeAuth();
    const { email } = account();
    await auth.register(account({ email }), originAt('a'));
    expect((await auth.login({ email: email.toUpperCase(), password }, originAt('a'))).user.email).toBe(
      email,
    );
    const refusalOf = async (input: { email: string; password: string }) => {
      const error: unknown = await auth.login(input, originAt('a')).catch((reason: unknown) => reason);
      return JSON.stringify(
        error,
        Object.getOwnPropertyNames(error).filter((name) => name !== 'stack'),
      );
    };
    const wrong = await refusalOf({ email, password: 'difference engine' });
    expect(wrong).toContain('Invalid email or password');
    expect(await refusalOf({ email: 'nobody@example.org', password })).toBe(wrong);
  });

  test('an account is throttled by its email, known or not, and a right password clears it', async () => {
    const { auth, pass } = makeAuth({ loginFreeTries: 2 });
    const { email } = account();
    await auth.register(account({ email }), originAt('a'));
    for (const [place, tried] of [email, 'nobody-yet@example.org'].entries()) {
      for (let i = 0; i < 2; i++) {
        await expect(
          auth.login({ email: tried, password: 'wrong' }, originAt(`b${place}`)),
        ).rejects.toMatchObject({
          code: 'UNAUTHORIZED',
        });
      }
      await expect(auth.login({ email: tried.toUpperCase(), password }, originAt('c'))).rejects.toMatchObject(
        {
          code: 'TOO_MANY_REQUESTS',
          retryAfterSeconds: 1,
        },
      );
    }
    pass(1_000);
    await auth.login({ email, password }, originAt('c'));
    await expect(auth.login({ email, password: 'wrong' }, originAt('c'))).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
  });

  test('an address is throttled over all accounts; right passwords do not count', async () => {
    const { auth, pass } = makeAuth({ loginTriesPerAddress: 3 });
    const { email } = account();
    await auth.register(account({ email }), originAt('2001:db8::1'));
    for (let i = 0; i < 10; i++) await auth.login({ email, password }, originAt('2001:db8::1'));
    for (let i = 0; i < 3; i++) {
      const tried = auth.login({ email: `guess${i}@example.org`, password }, originAt(`2001:db8::${i}`));
      await expect(tried).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    }
    await expect(auth.login({ email, password }, originAt('2001:db8::9'))).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      retryAfterSeconds: 600,
    });
    await auth.login({ email, password }, originAt('2001:db8:0:1::1'));
    pass(600_000);
    await auth.login({ email, password }, originAt('2001:db8::9'));
  });

  test('sign-ups from one address are limited, refused ones are not held against it', async () => {
    const { auth, pass } = makeAuth({ signupsPerAddress: 2 });
    const first = account();
    await auth.register(first, originAt('a'));
    await expect(auth.register(first, originAt('a'))).rejects.toMatchObject({ code: 'CONFLICT' });
    await auth.register(account(), originAt('a'));
    await expect(auth.register(account(), originAt('a'))).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      retryAfterSeconds: 3_600,
    });
    await auth.register(account(), originAt('b'));
    pass(3_600_000);
    await auth.register(account(), originAt('a'));
  });

  test('asking which emails are taken is limited like signing in', async () => {
    const { auth } = makeAuth({ loginTriesPerAddress: 2 });
    const first = account();
    await auth.register(first, originAt('a'));
    for (let i = 0; i < 2; i++) {
      await expect(auth.register(first, originAt('a'))).rejects.toMatchObject({ code: 'CONFLICT' });
    }
    await expect(auth.register(first, originAt('a'))).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
  });

  test('a hash made with other parameters is renewed when its owner signs in', async () => {
    const { auth } = makeAuth();
    const { user } = await auth.register(account(), originAt('a'));
    const old = await hash(password, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    await record.write((db) => db.update(users).set({ passwordHash: old }).where(eq(users.id, user.id)));
    await auth.login({ email: user.email, password }, originAt('a'));
    const [row] = await record.db.select().from(users).where(eq(users.id, user.id));
    expect(row?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    await auth.login({ email: user.email, password }, originAt('a'));
  });

  test('a stolen dump opens nothing: no password, no cookie, and stored session ids are not cookies', async () => {
    const { auth } = makeAuth();
    const { session } = await auth.register(account(), originAt('a'));
    const found = await auth.authenticateSession(session.cookieValue);
    const dump = await dumpRecord(record);
    expect(dump).toContain(found?.principal.sessionId);
    expect(dump).not.toContain(session.cookieValue);
    expect(dump).not.toContain(password);
    expect(await auth.authenticateSession(found?.principal.sessionId ?? '')).toBeNull();
  });
});
