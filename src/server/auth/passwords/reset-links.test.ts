import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RecordStore } from '#server/db/client.ts';
import { passwordResets } from '#server/db/schema/accounts.ts';
import { dumpRecord } from '#server/testing/dump.ts';
import { openTestRecord } from '#server/testing/open-record.ts';
import { nextPassword as next, startAccount } from '#server/testing/test-account.ts';
import { from, accountPassword as password } from '#server/testing/test-auth.ts';
import { withoutTable } from '#server/testing/without-table.ts';
import { issueResetToken } from './reset-links.ts';

const minuteMs = 60_000;
const notGood = { code: 'NOT_FOUND', message: expect.stringContaining('not good any more') };

describe('a reset link', () => {
  let record: RecordStore;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ record, close } = await openTestRecord());
  });
  afterAll(() => close());

  test('sets a new one, ends all sessions, and is good once', async () => {
    const { issueReset, reset, login, own, findPrincipal, email } = await startAccount(record);
    const other = await login();
    const token = await issueReset();
    expect(await reset(token)).toMatchObject({ email });
    for (const session of [own, other]) expect(await findPrincipal(session)).toBeNull();
    await login(next);
    await expect(reset(token, 'a third password')).rejects.toMatchObject(notGood);
    await login(next);
  });

  test('is good for an hour, the newest alone, and stored as a hash', async () => {
    const { auth, issueReset, reset, pass, email } = await startAccount(record);
    const first = await issueReset();
    const second = await issueReset();
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
    const { issueReset, reset } = await startAccount(record);
    const token = await issueReset();
    const results = await Promise.allSettled([1, 2, 3].map((i) => reset(token, `analytical ${i} engine`)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject(notGood);
  });

  test('stays good when the new password is refused', async () => {
    const { issueReset, reset } = await startAccount(record);
    const token = await issueReset();
    await expect(reset(token, 'password123')).rejects.toMatchObject({ details: [{ path: 'password' }] });
    await reset(token);
  });

  test('lets its owner in where strangers have to wait', async () => {
    const { auth, issueReset, reset, login, email } = await startAccount(record, {
      loginFreeTries: 1,
      loginTriesPerAccount: 2,
    });
    for (let i = 0; i < 4; i++) await login('wrong', `203.0.113.${i}`).catch(() => null);
    await expect(login(password)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    const { device } = await reset(await issueReset());
    await auth.login({ email, password: next }, from('198.51.100.4', device));
  });

  test('guessing one is limited by address', async () => {
    const { auth } = await startAccount(record, { unknownKeysPerAddress: 3 });
    const guess = () => auth.resetLink('x'.repeat(43), from('203.0.113.9'));
    for (let i = 0; i < 3; i++) await expect(guess()).rejects.toMatchObject(notGood);
    await expect(guess()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
  });

  test('one that could not be looked up is no guess', async () => {
    const { auth, issueReset, email } = await startAccount(record, { unknownKeysPerAddress: 2 });
    const token = await issueReset();
    const look = () => auth.resetLink(token, from('203.0.113.9'));
    await withoutTable(record, 'password_resets', async () => {
      for (let i = 0; i < 5; i++) await expect(look()).rejects.toThrow('password_resets');
    });
    expect(await look()).toMatchObject({ email });
  });

  test('is issued for emails in any case, and for nobody else', async () => {
    const { email } = await startAccount(record);
    const issueFor = (given: string) =>
      record.write((tx) => issueResetToken(tx, { email: given, now: new Date() }));
    expect((await issueFor(email.toUpperCase()))?.user.email).toBe(email);
    const before = await record.db.$count(passwordResets);
    expect(await issueFor('nobody@example.org')).toBeNull();
    expect(await record.db.$count(passwordResets)).toBe(before);
  });
});
