import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RecordStore } from '#server/db/client.ts';
import { users } from '#server/db/schema/accounts.ts';
import { openTestRecord } from '#server/testing/open-record.ts';
import { accountPassword, from, makeTestAuth, newAccount, signedIn } from '#server/testing/test-auth.ts';
import { withoutTable } from '#server/testing/without-table.ts';

const minuteMs = 60_000;
const tooMany = { code: 'TOO_MANY_REQUESTS' };

describe('signing up', () => {
  let record: RecordStore;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ record, close } = await openTestRecord());
  });
  afterAll(() => close());

  test('of a new server nobody has an account yet', async () => {
    expect(await record.db.$count(users)).toBe(0);
  });

  test('sign-ups from one address are limited, refused ones are not held against it', async () => {
    const { auth, pass } = makeTestAuth(record, { signupsPerAddress: 2 });
    const first = newAccount();
    await auth.register(first, from('a'));
    await expect(auth.register(first, from('a'))).rejects.toMatchObject({ code: 'CONFLICT' });
    await auth.register(newAccount(), from('a'));
    await expect(auth.register(newAccount(), from('a'))).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      retryAfterSeconds: 3_600,
    });
    await auth.register(newAccount(), from('b'));
    pass(60 * minuteMs);
    await auth.register(newAccount(), from('a'));
  });

  test('asking which emails are taken is limited like signing in', async () => {
    const { auth } = makeTestAuth(record, { loginTriesPerAddress: 2 });
    const first = newAccount();
    await auth.register(first, from('a'));
    for (let i = 0; i < 2; i++) {
      await expect(auth.register(first, from('a'))).rejects.toMatchObject({ code: 'CONFLICT' });
    }
    await expect(auth.register(first, from('a'))).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
  });

  test('what is refused since there were too many sign-ups uses up no try to sign in', async () => {
    const { auth } = makeTestAuth(record, { signupsPerAddress: 1, loginTriesPerAddress: 2 });
    const first = newAccount();
    await auth.register(first, from('a'));
    for (let i = 0; i < 5; i++)
      await expect(auth.register(newAccount(), from('a'))).rejects.toMatchObject(tooMany);
    signedIn(await auth.login({ email: first.email, password: accountPassword }, from('a')));
  });

  test('what could not be looked up counts as nothing', async () => {
    const { auth } = makeTestAuth(record, { signupsPerAddress: 1, loginTriesPerAddress: 1 });
    await withoutTable(record, 'users', async () => {
      for (let i = 0; i < 5; i++)
        await expect(auth.register(newAccount(), from('a'))).rejects.toThrow('users');
    });
    await auth.register(newAccount(), from('a'));
  });

  test('what is refused once it was looked up tells that there is no such account, and counts as asking', async () => {
    const full = new Error('the storage is full');
    const assertWritable = () => Promise.reject(full);
    const { auth } = makeTestAuth({ ...record, assertWritable }, { loginTriesPerAddress: 3 });
    for (let i = 0; i < 3; i++) await expect(auth.register(newAccount(), from('a'))).rejects.toThrow(full);
    await expect(auth.register(newAccount(), from('a'))).rejects.toMatchObject(tooMany);
  });

  test('an account that was made counts, though no session could begin', async () => {
    const { auth } = makeTestAuth(record, { signupsPerAddress: 1 });
    const first = newAccount();
    await withoutTable(record, 'sessions', () =>
      expect(auth.register(first, from('a'))).rejects.toThrow('sessions'),
    );
    await expect(auth.register(newAccount(), from('a'))).rejects.toMatchObject(tooMany);
    signedIn(await auth.login({ email: first.email, password: accountPassword }, from('a')));
  });
});
