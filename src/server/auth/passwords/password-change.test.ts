import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RecordStore } from '#server/db/client.ts';
import { passwordResets } from '#server/db/schema/accounts.ts';
import { auditEntries } from '#server/db/schema/audit-entries.ts';
import type { Settings } from '#server/env.ts';
import { dumpRecord } from '#server/testing/dump.ts';
import { openTestRecord } from '#server/testing/open-record.ts';
import {
  from,
  makeTestAuth,
  newAccount,
  accountPassword as password,
  signedIn,
} from '#server/testing/test-auth.ts';
import type { SignedIn } from '../auth.ts';
import { issueResetToken } from './reset-links.ts';

const next = 'difference engine';
const minuteMs = 60_000;
const notGood = { code: 'NOT_FOUND', message: expect.stringContaining('not good any more') };

describe('passwords', () => {
  let record: RecordStore;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ record, close } = await openTestRecord());
  });
  afterAll(() => close());

  async function start(settings: Partial<Settings> = {}) {
    const server = makeTestAuth(record, settings);
    const { auth, clock } = server;
    const input = newAccount();
    const own = await auth.register(input, from('198.51.100.1'));
    const other = signedIn(await auth.login(input, from('198.51.100.2')));
    const { email } = input;
    const principalOf = async ({ session }: SignedIn) =>
      (await auth.authenticateSession(session.cookieValue))?.principal;
    return {
      ...server,
      email,
      own,
      other,
      principalOf,
      login: async (given: string, address = '198.51.100.3') =>
        signedIn(await auth.login({ email, password: given }, from(address))),
      async change(currentPassword: string, to = next) {
        const principal = await principalOf(own);
        if (!principal) throw new Error('the session has ended');
        const change = { currentPassword, password: to, confirmPassword: to };
        await auth.changePassword(principal, { input: change, from: from('198.51.100.1') });
      },
      async issue() {
        const issued = await record.write((tx) => issueResetToken(tx, { email, now: clock() }));
        if (!issued) throw new Error('there is no such account');
        return issued.token;
      },
      reset: (token: string, to = next) =>
        auth.resetPassword({ token, password: to, confirmPassword: to }, from('198.51.100.4')),
    };
  }

  describe('changing one', () => {
    test('needs the current one, and ends the other sessions', async () => {
      const { change, login, own, other, principalOf } = await start();
      await expect(change('wrong')).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        details: [{ path: 'currentPassword' }],
      });
      expect(await principalOf(other)).toBeDefined();
      await change(password);
      expect(await principalOf(own)).toBeDefined();
      expect(await principalOf(other)).toBeUndefined();
      await login(next);
      await expect(login(password)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    });

    test('refuses a common one, and the account’s own names', async () => {
      const { change, email } = await start();
      for (const weak of ['password123', email])
        await expect(change(password, weak)).rejects.toMatchObject({ details: [{ path: 'password' }] });
    });

    test('whoever guesses the current one waits, and the owner signs in elsewhere', async () => {
      const { change, login } = await start({ loginFreeTries: 3, loginTriesPerAccount: 3 });
      for (let i = 0; i < 3; i++)
        await expect(change('wrong')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
      await expect(change(password)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
      await login(password);
    });

    test('takes back reset links that were given out', async () => {
      const { change, issue, reset } = await start();
      const token = await issue();
      await change(password);
      await expect(reset(token, 'a third password')).rejects.toMatchObject(notGood);
    });

    test('no session begins beside it with the former one', async () => {
      const { change, login, principalOf } = await start({ passwordHashBytes: 4 * 1024 * 1024 });
      const changing = change(password);
      const tries = Array.from({ length: 12 }, () => login(password).catch(() => null));
      await changing;
      const sessions = await Promise.all(tries);
      for (const session of sessions)
        expect(session && (await principalOf(session)), 'a session of the former password').toBeFalsy();
    });
  });

  describe('a reset link', () => {
    test('sets a new one, ends all sessions, and is good once', async () => {
      const { issue, reset, login, own, other, principalOf, email } = await start();
      const token = await issue();
      expect(await reset(token)).toMatchObject({ email });
      for (const session of [own, other]) expect(await principalOf(session)).toBeUndefined();
      await login(next);
      await expect(reset(token, 'a third password')).rejects.toMatchObject(notGood);
      await login(next);
    });

    test('is good for an hour, the newest alone, and stored as a hash', async () => {
      const { auth, issue, reset, pass, email } = await start();
      const first = await issue();
      const second = await issue();
      expect(await dumpRecord(record)).not.toContain(second);
      await expect(reset(first)).rejects.toMatchObject(notGood);
      expect(await auth.resetLink(second, from('a'))).toMatchObject({ email });
      pass(60 * minuteMs - 1);
      expect(await auth.resetLink(second, from('a'))).toMatchObject({ email });
      pass(1);
      await expect(auth.resetLink(second, from('a'))).rejects.toMatchObject(notGood);
      await expect(reset(second)).rejects.toMatchObject(notGood);
    });

    test('of two who come with it at once, one sets the password', async () => {
      const { issue, reset } = await start();
      const token = await issue();
      const results = await Promise.allSettled([1, 2, 3].map((i) => reset(token, `analytical ${i} engine`)));
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const result of results)
        if (result.status === 'rejected') expect(result.reason).toMatchObject(notGood);
    });

    test('stays good when the new password is refused', async () => {
      const { issue, reset } = await start();
      const token = await issue();
      await expect(reset(token, 'password123')).rejects.toMatchObject({ details: [{ path: 'password' }] });
      await reset(token);
    });

    test('lets its owner in where strangers have to wait', async () => {
      const { auth, issue, reset, login, email } = await start({
        loginFreeTries: 1,
        loginTriesPerAccount: 2,
      });
      for (let i = 0; i < 2; i++) await login('wrong', `203.0.113.${i}`).catch(() => null);
      await expect(login(password)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
      const { device } = await reset(await issue());
      await auth.login({ email, password: next }, from('198.51.100.4', device));
    });

    test('guessing one is limited by address', async () => {
      const { auth } = await start({ loginTriesPerAddress: 3 });
      const guess = () => auth.resetLink('x'.repeat(43), from('203.0.113.9'));
      for (let i = 0; i < 3; i++) await expect(guess()).rejects.toMatchObject(notGood);
      await expect(guess()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    });

    test('is issued for emails in any case, and for nobody else', async () => {
      const { email } = await start();
      const issueFor = (given: string) =>
        record.write((tx) => issueResetToken(tx, { email: given, now: new Date() }));
      expect((await issueFor(email.toUpperCase()))?.user.email).toBe(email);
      const before = await record.db.$count(passwordResets);
      expect(await issueFor('nobody@example.org')).toBeNull();
      expect(await record.db.$count(passwordResets)).toBe(before);
    });
  });

  test('changes and resets are written down', async () => {
    const { change, issue, reset, own } = await start();
    await change(password);
    await reset(await issue(), 'a third password');
    const entries = await record.db.select().from(auditEntries).where(eq(auditEntries.actorId, own.user.id));
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['auth.changePassword', 'auth.resetPassword']),
    );
  });
});
