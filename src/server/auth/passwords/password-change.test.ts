import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RecordStore } from '#server/db/client.ts';
import { auditEntries } from '#server/db/schema/audit-entries.ts';
import type { Settings } from '#server/env.ts';
import { openTestRecord } from '#server/testing/open-record.ts';
import { nextPassword as next, startAccount } from '#server/testing/test-account.ts';
import { from, makeTestAuth, accountPassword as password } from '#server/testing/test-auth.ts';

const notGood = { code: 'NOT_FOUND', message: expect.stringContaining('not good any more') };

describe('changing a password', () => {
  let record: RecordStore;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ record, close } = await openTestRecord());
  });
  afterAll(() => close());

  /** With a second session. */
  async function start(settings: Partial<Settings> = {}) {
    const account = await startAccount(record, settings);
    return { ...account, other: await account.login() };
  }

  test('needs the current one, and ends the other sessions', async () => {
    const { change, login, own, other, findPrincipal } = await start();
    await expect(change('wrong')).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      details: [{ path: 'currentPassword' }],
    });
    expect(await findPrincipal(other)).not.toBeNull();
    await change(password);
    expect(await findPrincipal(own)).not.toBeNull();
    expect(await findPrincipal(other)).toBeNull();
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
    for (let i = 0; i < 3; i++) await expect(change('wrong')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(change(password)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    await login(password);
  });

  test('whoever guesses the current one ten times in a row is signed out, and the owner is not', async () => {
    const { auth, change, login, own, other, findPrincipal, asking } = await start();
    const guess = () => change('wrong');
    const wrong = { code: 'BAD_REQUEST' };
    for (let i = 0; i < 9; i++) await expect(guess()).rejects.toMatchObject(wrong);
    await change(password, password);
    for (let i = 0; i < 5; i++) await expect(guess()).rejects.toMatchObject(wrong);
    const guessAtFactor = async () => auth.secondFactor.start(await asking(), { password: 'wrong' });
    for (let i = 0; i < 4; i++) await expect(guessAtFactor()).rejects.toMatchObject(wrong);
    expect(await findPrincipal(own)).not.toBeNull();
    await expect(guess()).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      message: expect.stringContaining('wrong 10 times, so this session has ended'),
    });
    expect(await findPrincipal(own)).toBeNull();
    expect(await findPrincipal(await login())).not.toBeNull();
    expect(await findPrincipal(other), 'ended by the change').toBeNull();
    const entries = await record.db.select().from(auditEntries).where(eq(auditEntries.actorId, own.user.id));
    expect(entries.filter(({ action }) => action === 'auth.endSession')).toMatchObject([
      { outcome: 'done', targetId: own.user.id, after: { wrongPasswords: 10 }, address: '198.51.100.1' },
    ]);
  });

  test('servers count the guesses of a session together', async () => {
    const { change, own, principalOf, findPrincipal } = await start();
    for (let i = 0; i < 5; i++) await expect(change('wrong')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const principal = await principalOf(own);
    const { auth } = makeTestAuth(record);
    const input = { currentPassword: 'wrong', password: next, confirmPassword: next };
    const guess = () => auth.changePassword(principal, { input, from: from('a') });
    for (let i = 0; i < 4; i++) await expect(guess()).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(guess()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect.poll(() => findPrincipal(own)).toBeNull();
  });

  test('takes back reset links that were given out', async () => {
    const { change, issueReset, reset } = await start();
    const token = await issueReset();
    await change(password);
    await expect(reset(token, 'a third password')).rejects.toMatchObject(notGood);
  });

  test('no session begins beside it with the former one', async () => {
    const { change, login, findPrincipal } = await start({ passwordHashBytes: 4 * 1024 * 1024 });
    const changing = change(password);
    const tries = Array.from({ length: 12 }, () => login(password).catch(() => null));
    await changing;
    const sessions = await Promise.all(tries);
    for (const session of sessions)
      expect(session && (await findPrincipal(session)), 'a session of the former password').toBeFalsy();
  });

  test('changes and resets are written down', async () => {
    const { change, issueReset, reset, own } = await start();
    await change(password);
    await reset(await issueReset(), 'a third password');
    const entries = await record.db.select().from(auditEntries).where(eq(auditEntries.actorId, own.user.id));
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['auth.changePassword', 'auth.resetPassword']),
    );
  });
});
