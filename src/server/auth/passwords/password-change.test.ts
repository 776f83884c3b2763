import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RecordStore } from '#server/db/client.ts';
import { auditEntries } from '#server/db/schema/audit-entries.ts';
import type { Settings } from '#server/env.ts';
import { openTestRecord } from '#server/testing/open-record.ts';
import { nextPassword as next, startAccount } from '#server/testing/test-account.ts';
import { accountPassword as password } from '#server/testing/test-auth.ts';

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
