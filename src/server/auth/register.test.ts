import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RecordStore } from '#server/db/client.ts';
import { openTestRecord } from '#server/testing/open-record.ts';
import { from, makeTestAuth, newAccount } from '#server/testing/test-auth.ts';

const minuteMs = 60_000;

describe('signing up', () => {
  let record: RecordStore;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ record, close } = await openTestRecord());
  });
  afterAll(() => close());

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
});
