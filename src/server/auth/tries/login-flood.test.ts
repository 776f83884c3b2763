import { afterAll, beforeAll, describe, test } from 'vitest';
import type { RecordStore } from '#server/db/client.ts';
import { openTestRecord } from '#server/testing/open-record.ts';
import {
  from,
  makeTestAuth,
  newAccount,
  accountPassword as password,
  signedIn,
} from '#server/testing/test-auth.ts';

/** More at once than may wait for their passwords to be looked at. */
const floodSize = 60;
const oneAddress = () => '203.0.113.9';
const oneNetwork = (i: number) => `2001:db8:0:${(i % 0xffff).toString(16)}::1`;
const manyAddresses = (i: number) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`;

const times = process.env['LONG_TESTS'] ? 15 : 5;

/** By chance a place may be free once. */
async function often(work: (i: number) => Promise<unknown>): Promise<void> {
  for (let i = 0; i < times; i++) await work(i);
}

describe('while strangers flood the way in', () => {
  let record: RecordStore;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ record, close } = await openTestRecord());
  });
  afterAll(() => close());

  async function start() {
    // Long enough that a flood waits.
    const { auth } = makeTestAuth(record, { passwordHashBytes: 4 * 1024 * 1024 });
    const account = newAccount();
    const { device } = await auth.register(account, from('198.51.100.1'));
    const signIn = (address: string, own: string | null = null) =>
      auth.login({ email: account.email, password }, from(address, own));
    const guess = (address: string) =>
      auth.login({ email: newAccount().email, password: 'wrong' }, from(address));
    /** Does it while so many guess, each again at once, of whom some find no place. */
    const during = async <T>(addressOf: (i: number) => string, work: () => Promise<T>): Promise<T> => {
      let isOver = false;
      let guesses = 0;
      let fill = () => {};
      const isFull = new Promise<void>((resolve) => {
        fill = resolve;
      });
      const guessOn = async () => {
        while (!isOver) {
          const refusal = await guess(addressOf(guesses++)).then(
            () => null,
            (error: Error) => error.message,
          );
          if (refusal?.includes('Too many people are signing in')) fill();
        }
      };
      const flood = Promise.all(Array.from({ length: floodSize }, guessOn));
      await Promise.race([isFull, flood]);
      try {
        return await work();
      } finally {
        isOver = true;
        await flood;
      }
    };
    return { auth, device, signIn, guess, during };
  }

  test.each([
    ['one address', oneAddress],
    ['one network of many addresses', oneNetwork],
    ['many addresses', manyAddresses],
  ])('from %s, a known device signs in', async (_, addressOf) => {
    const { device, signIn, during } = await start();
    await during(addressOf, () => often((i) => signIn(`203.0.113.${i}`, device)));
  });

  test('from many addresses, who is signed in changes the password', async () => {
    const { auth, signIn, during } = await start();
    const { session } = signedIn(await signIn('198.51.100.1'));
    const found = await auth.authenticateSession(session.cookieValue);
    if (!found) throw new Error('the session has ended');
    const next = { password: 'difference engine', confirmPassword: 'difference engine' };
    const given = { input: { currentPassword: password, ...next }, from: from('203.0.113.9') };
    await during(manyAddresses, () => auth.changePassword(found.principal, given));
  });

  test.each([
    ['one address', oneAddress],
    ['one network of many addresses', oneNetwork],
  ])('from %s, a stranger elsewhere signs in', async (_, addressOf) => {
    const { signIn, during } = await start();
    await during(addressOf, () => often((i) => signIn(`198.51.100.${i}`)));
  });

  test('from many addresses that have guessed before, a stranger elsewhere signs in', async () => {
    const { signIn, guess, during } = await start();
    const addressOf = (i: number) => manyAddresses(i % floodSize);
    for (let i = 0; i < floodSize; i++) await guess(addressOf(i)).catch(() => undefined);
    await during(addressOf, () => often((i) => signIn(`198.51.100.${i}`)));
  });
});
