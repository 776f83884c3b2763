import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RecordStore } from '#server/db/client.ts';
import { wrongPasswords } from '#server/db/schema/accounts.ts';
import type { Settings } from '#server/env.ts';
import { openTestRecord } from '#server/testing/open-record.ts';
import { statementsOf } from '#server/testing/statements.ts';
import { startAccount } from '#server/testing/test-account.ts';
import { from, makeTestAuth, accountPassword as password } from '#server/testing/test-auth.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

describe('tries to sign in', () => {
  let record: RecordStore;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ record, close } = await openTestRecord());
  });
  afterAll(() => close());

  /** A server with an account on it; `device` is the cookie of the browser that signed up. */
  async function start(settings: Partial<Settings> = {}) {
    const account = await startAccount(record, settings);
    return { ...account, ...attemptsOn(account.auth, account.email) };
  }

  /** `guess`: what a wrong password is answered; `signIn`: the right one. Either the code, or the seconds to wait. */
  function attemptsOn({ login }: ReturnType<typeof makeTestAuth>['auth'], email: string) {
    const outcome = async (attempt: Promise<unknown>) => {
      try {
        await attempt;
        return 'in';
      } catch (error) {
        const { code, retryAfterSeconds } = error as { code: string; retryAfterSeconds?: number };
        return code === 'TOO_MANY_REQUESTS' ? retryAfterSeconds : code;
      }
    };
    return {
      email,
      guess: (address: string, device: string | null = null) =>
        outcome(login({ email, password: 'wrong' }, from(address, device))),
      signIn: (address: string, device: string | null = null) =>
        outcome(login({ email: email.toUpperCase(), password }, from(address, device))),
    };
  }

  const times = async <T>(count: number, work: (i: number) => Promise<T>): Promise<T[]> => {
    const results: T[] = [];
    for (let i = 0; i < count; i++) results.push(await work(i));
    return results;
  };
  const wrong = 'UNAUTHORIZED';

  test('who guesses an account waits there, and its owner signs in from anywhere else', async () => {
    const { guess, signIn, pass } = await start({ loginFreeTries: 5, loginTriesPerAccount: 500 });
    expect(await times(7, () => guess('203.0.113.9'))).toEqual([wrong, wrong, wrong, wrong, wrong, 1, 1]);
    expect(await signIn('198.51.100.7')).toBe('in');
    // One address tries as often as it may for a day.
    for (let elapsed = 0; elapsed < dayMs; ) {
      const answer = await guess('203.0.113.9');
      if (typeof answer !== 'number') continue;
      pass(answer * 1_000);
      elapsed += answer * 1_000;
    }
    expect(await guess('203.0.113.9')).toBe(wrong);
    expect(await signIn('203.0.113.9')).toBe(900);
    expect(await signIn('198.51.100.8')).toBe('in');
  });

  test('an account that nobody has is throttled alike', async () => {
    const { auth } = makeTestAuth(record, { loginFreeTries: 2 });
    const { guess } = attemptsOn(auth, 'nobody-yet@example.org');
    expect(await times(3, () => guess('203.0.113.9'))).toEqual([wrong, wrong, 1]);
  });

  test('a right password clears what was counted from its address, here and in the record', async () => {
    const { guess, signIn } = await start({ loginFreeTries: 3 });
    for (let round = 0; round < 3; round++) {
      expect(await times(2, () => guess('203.0.113.9'))).toEqual([wrong, wrong]);
      expect(await signIn('203.0.113.9')).toBe('in');
    }
  });

  test('guesses from many addresses wait for each other, and not their owner in a new browser', async () => {
    const { guess, signIn, pass, device } = await start({ loginTriesPerAccount: 100 });
    const guessers = Array.from({ length: 100 }, (_, i) => `203.0.113.${i}`);
    const answers: unknown[] = [];
    for (let round = 0; round < 5; round++)
      for (const address of guessers) answers.push(await guess(address));
    expect(answers.slice(0, 100)).toEqual(Array(100).fill(wrong));
    expect(answers.slice(100)).toEqual([wrong, ...Array(399).fill(60)]);
    expect(await signIn('198.51.100.7')).toBe('in');
    // Also once they have gone on for an hour, one each time that somebody may.
    for (let minute = 0; minute < 60; minute++) {
      pass(minuteMs);
      expect([await guess('203.0.113.1'), await guess('203.0.113.2')]).toEqual([wrong, 60]);
    }
    expect(await signIn('198.51.100.8')).toBe('in');
    expect(await signIn('198.51.100.9', device)).toBe('in');
  });

  test('guesses from ever new addresses leave a turn every ten seconds, and known devices alone', async () => {
    const { guess, signIn, pass, device } = await start({ loginTriesPerAccount: 40 });
    expect(await times(40, (i) => guess(`203.0.113.${i}`))).toEqual(Array(40).fill(wrong));
    const answers = await times(44, (i) => guess(`203.0.113.${100 + i}`));
    expect(answers).toEqual([...Array(40).fill(wrong), ...Array(4).fill(10)]);
    expect(await signIn('198.51.100.7')).toBe(10);
    expect(await times(3, () => signIn('198.51.100.7', device))).toEqual(['in', 'in', 'in']);
    pass(10_000);
    expect(await signIn('198.51.100.7')).toBe('in');
  });

  test('many addresses of one network have failed together', async () => {
    const { guess, signIn } = await start({ loginTriesPerAccount: 3 });
    const answers = await times(6, (i) => guess(`2001:db8:0:${i}::1`));
    expect(answers).toEqual([wrong, wrong, wrong, wrong, 60, 60]);
    expect(await signIn('2001:db8:1::1')).toBe('in');
  });

  test('who was right has failed no more', async () => {
    const { guess, signIn } = await start({ loginTriesPerAccount: 3 });
    expect(await guess('2001:db8:1:1::1')).toBe(wrong);
    expect(await signIn('2001:db8:1:1::1')).toBe('in');
    expect(await times(4, (i) => guess(`203.0.113.${i}`))).toEqual([wrong, wrong, wrong, wrong]);
    expect(await times(3, () => signIn('2001:db8:1:1::1'))).toEqual(['in', 'in', 'in']);
  });

  test('a device that was wrong a hundred times in a row is a stranger, until it is right', async () => {
    const { guess, signIn, device } = await start({ loginTriesPerAddress: 2 });
    expect(await times(100, () => guess('203.0.113.9', device))).toEqual(Array(100).fill(wrong));
    expect(await times(3, () => guess('203.0.113.9', device))).toEqual([wrong, wrong, 600]);
    expect(await signIn('198.51.100.7', device)).toBe('in');
    expect(await times(3, () => guess('203.0.113.9', device))).toEqual([wrong, wrong, wrong]);
  });

  test('a known device passes where its whole address is shut out', async () => {
    const { guess, signIn, device, auth } = await start({ loginFreeTries: 5, loginTriesPerAddress: 10 });
    for (let i = 0; i < 10; i++) await attemptsOn(auth, `other${i}@example.org`).guess('203.0.113.9');
    expect(await signIn('203.0.113.9')).toBe(600);
    expect(await guess('203.0.113.9', device)).toBe(wrong);
    expect(await signIn('203.0.113.9', device)).toBe('in');
  });

  test('a device has a count of its own', async () => {
    const { guess, signIn, device } = await start({ loginFreeTries: 3, loginTriesPerAccount: 3 });
    expect(await times(4, (i) => guess(`203.0.113.${i}`, device))).toEqual([wrong, wrong, wrong, 1]);
    expect(await signIn('203.0.113.9')).toBe('in');
  });

  test('a device of somebody else’s account is a stranger', async () => {
    const { guess, device } = await start({ loginFreeTries: 1 });
    const other = await start({ loginFreeTries: 1 });
    expect(await times(2, () => other.guess('203.0.113.9', device))).toEqual([wrong, 1]);
    expect(await guess('203.0.113.9', other.device)).toBe(wrong);
  });

  test('of many tries at once so many reach the password as one after the other', async () => {
    const { guess } = await start({ loginFreeTries: 5 });
    const answers = await Promise.all(Array.from({ length: 60 }, () => guess('203.0.113.9')));
    expect(answers.filter((answer) => answer === wrong)).toHaveLength(5);
  });

  test('a clock that is set a day back or forth changes no wait', async () => {
    for (const jumpMs of [dayMs, -dayMs]) {
      const { guess, signIn, pass, jump } = await start({ loginFreeTries: 2, loginTriesPerAddress: 4 });
      await times(2, () => guess('203.0.113.9'));
      jump(jumpMs);
      expect(await guess('203.0.113.9')).toBe(1);
      pass(1_000);
      expect(await signIn('203.0.113.9')).toBe('in');
    }
  });

  test('an address is throttled over all accounts; right passwords do not count', async () => {
    const { auth, signIn, pass } = await start({ loginTriesPerAddress: 3 });
    expect(await times(10, () => signIn('2001:db8::1'))).toEqual(Array(10).fill('in'));
    for (let i = 0; i < 3; i++)
      expect(await attemptsOn(auth, `guess${i}@example.org`).guess(`2001:db8::${i}`)).toBe(wrong);
    expect(await signIn('2001:db8::9')).toBe(600);
    expect(await signIn('2001:db8:0:1::1')).toBe('in');
    pass(10 * minuteMs);
    expect(await signIn('2001:db8::9')).toBe('in');
  });

  test('one that has used up its tries costs no statement', async () => {
    const { auth } = makeTestAuth(record, { loginTriesPerAddress: 3 });
    let accounts = 0;
    const guess = () => attemptsOn(auth, `never${accounts++}@example.org`).guess('203.0.113.9');
    expect(await Promise.all(Array.from({ length: 10 }, guess))).toEqual([
      ...Array(3).fill(wrong),
      ...Array(7).fill(600),
    ]);
    expect(await statementsOf(record, () => times(10, guess))).toEqual([]);
  });

  test('ports and ways to write an IPv4 address are no new addresses', async () => {
    const { guess } = await start({ loginFreeTries: 3 });
    const forms = ['203.0.113.9:1001', '::ffff:203.0.113.9', '[::ffff:cb00:7109]:1002', '64:ff9b::cb00:7109'];
    const answers = await times(forms.length, (i) => guess(forms[i] ?? ''));
    expect(answers).toEqual([wrong, wrong, wrong, 1]);
  });

  describe('servers on one record', () => {
    test('count together, and one that starts again has not forgotten', async () => {
      const first = await start({ loginFreeTries: 4, loginTriesPerAccount: 6 });
      const another = () =>
        attemptsOn(makeTestAuth(record, { loginFreeTries: 4, loginTriesPerAccount: 6 }).auth, first.email);
      const second = another();
      expect(await times(2, () => first.guess('203.0.113.9'))).toEqual([wrong, wrong]);
      expect(await times(3, () => second.guess('203.0.113.9'))).toEqual([wrong, wrong, 1]);
      const third = another();
      expect(await third.guess('203.0.113.9')).toBe(1);
      // By the account alone, from addresses that were not there before.
      expect(await times(2, (i) => third.guess(`203.0.113.${50 + i}`))).toEqual([wrong, wrong]);
      expect(await times(2, () => first.guess('203.0.113.50'))).toEqual([wrong, 60]);
    });

    test('a sign-in needs one statement more, and writes nothing of it', async () => {
      const { auth, email } = await start();
      const before = await record.db.select().from(wrongPasswords);
      const texts = await statementsOf(record, () => auth.login({ email, password }, from('198.51.100.9')));
      const about = texts.filter((text) => text.includes('wrong_passwords'));
      expect(about.map((text) => text.split(' ', 1)[0])).toEqual(['select']);
      expect(await record.db.select().from(wrongPasswords)).toEqual(before);
    });

    test('a flood of names leaves at most one row a bucket, and none is larger for it', async () => {
      const { auth } = makeTestAuth(record);
      const before = await record.db.$count(wrongPasswords);
      for (let i = 0; i < 20; i++) await attemptsOn(auth, `flood${i}@example.org`).guess('203.0.113.9');
      const rows = await record.db.select().from(wrongPasswords);
      expect(rows.length - before).toBeLessThanOrEqual(40);
      for (const { bucket } of rows) expect(bucket).toBeLessThan(2 ** 20);
    });
  });
});
