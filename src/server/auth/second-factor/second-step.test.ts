import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RecordStore } from '#server/db/client.ts';
import { openTestRecord } from '#server/testing/open-record.ts';
import {
  notRight,
  recoveryCode,
  startSecondFactor,
  stepMs,
  tooLate,
} from '#server/testing/second-factor-account.ts';
import { statementsOf } from '#server/testing/statements.ts';
import { nextPassword } from '#server/testing/test-account.ts';
import { from, makeTestAuth, accountPassword as password, signedIn } from '#server/testing/test-auth.ts';

const minuteMs = 60_000;

describe('the second step of signing in', () => {
  let record: RecordStore;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ record, close } = await openTestRecord());
  });
  afterAll(() => close());

  test('is asked for after the password, once it was shown to work', async () => {
    const { begin, setUp, showPassword, step, codeAfter, auth, email, principalOf } =
      await startSecondFactor(record);
    const { secret, uri } = await begin();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(uri).toContain(
      `otpauth://totp/Vectora:${encodeURIComponent(email)}?issuer=Vectora&secret=${secret}`,
    );
    // Begun is not yet set up.
    signedIn(await auth.login({ email, password }, from('198.51.100.2')));
    await setUp();
    const entered = await step(await showPassword(), codeAfter());
    expect(entered.user.email).toBe(email);
    expect(await principalOf(entered)).toMatchObject({ kind: 'user' });
  });

  test('what follows a right password is no session, and a wrong one is told nothing of it', async () => {
    const { auth, email, setUp, showPassword, step, codeAfter } = await startSecondFactor(record);
    await setUp();
    expect(await auth.authenticateSession(await showPassword())).toBeNull();
    const wrong = auth.login({ email, password: 'wrong' }, from('198.51.100.2'));
    await expect(wrong).rejects.toMatchObject({ message: 'Invalid email or password' });
    for (const cookie of ['', 'x', `1.${Number.MAX_SAFE_INTEGER}.${'x'.repeat(43)}`])
      await expect(step(cookie, codeAfter())).rejects.toMatchObject(tooLate);
    const other = await startSecondFactor(record);
    await other.setUp();
    const [ownId = '', ...rest] = (await other.showPassword()).split('.');
    const forged = [Number(ownId) - 1, ...rest].join('.');
    await expect(step(forged, codeAfter())).rejects.toMatchObject(tooLate);
  });

  test('a code is good for the 30 seconds before and after its own, and once', async () => {
    const { setUp, showPassword, step, codeAfter, pass } = await startSecondFactor(record);
    await setUp();
    pass(10 * stepMs);
    const cookie = await showPassword();
    for (const ms of [-2 * stepMs, 2 * stepMs])
      await expect(step(cookie, codeAfter(ms))).rejects.toMatchObject(notRight);
    const [early, now, late] = [codeAfter(-stepMs), codeAfter(), codeAfter(stepMs)];
    await step(cookie, early);
    await step(cookie, ` ${now.slice(0, 3)} ${now.slice(3)} `);
    for (const used of [early, now]) await expect(step(cookie, used)).rejects.toMatchObject(notRight);
    await step(cookie, late);
    await expect(step(cookie, late)).rejects.toMatchObject(notRight);
  });

  test('of many who come with one code at once, one gets in', async () => {
    const { setUp, showPassword, step, codeAfter } = await startSecondFactor(record);
    const codes = await setUp();
    const cookie = await showPassword();
    for (const code of [codeAfter(), recoveryCode(codes)]) {
      const results = await Promise.allSettled([1, 2, 3, 4].map(() => step(cookie, code)));
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    }
  });

  test('a password is right for ten minutes, and until it is changed', async () => {
    const { change, setUp, showPassword, step, codeAfter, pass } = await startSecondFactor(record);
    await setUp();
    const first = await showPassword();
    pass(10 * minuteMs - 1);
    await step(first, codeAfter());
    pass(1);
    await expect(step(first, codeAfter(stepMs))).rejects.toMatchObject(tooLate);
    const second = await showPassword();
    await change(password);
    await expect(step(second, codeAfter(stepMs))).rejects.toMatchObject(tooLate);
  });

  test('recovery codes are good once each, however they are typed', async () => {
    const { auth, asking, setUp, showPassword, step } = await startSecondFactor(record);
    const codes = await setUp();
    expect(codes).toHaveLength(10);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([a-z2-7]{4}-){5}[a-z2-7]{4}$/);
    await step(await showPassword(), recoveryCode(codes));
    await expect(step(await showPassword(), recoveryCode(codes))).rejects.toMatchObject(notRight);
    await step(await showPassword(), ` ${recoveryCode(codes, 1).replaceAll('-', ' ').toUpperCase()}`);
    const { principal } = await asking();
    expect(await auth.secondFactor.state(principal)).toEqual({ isOn: true, recoveryCodesLeft: 8 });
    const other = await startSecondFactor(record);
    await other.setUp();
    const foreign = other.step(await other.showPassword(), recoveryCode(codes, 2));
    await expect(foreign).rejects.toMatchObject(notRight);
  });

  test('guesses wait, from whatever address and browser, however often the password is shown', async () => {
    const { setUp, showPassword, step, codeAfter, pass } = await startSecondFactor(record, {
      loginFreeTries: 3,
    });
    await setUp();
    for (let i = 0; i < 3; i++) {
      const guess = step(await showPassword(), '000000', { address: `203.0.113.${i}` });
      await expect(guess).rejects.toMatchObject(notRight);
    }
    const cookie = await showPassword();
    const wait = { code: 'TOO_MANY_REQUESTS', retryAfterSeconds: 1 };
    await expect(step(cookie, codeAfter(), { address: '203.0.113.9' })).rejects.toMatchObject(wait);
    pass(1_000);
    await step(cookie, codeAfter());
    // A right one clears the count.
    await expect(step(cookie, '000000')).rejects.toMatchObject(notRight);
    await step(cookie, codeAfter(stepMs));
  });

  test('whoever guessed with the former password does not keep its owner waiting', async () => {
    const { setUp, showPassword, step, codeAfter, wrongCode, issueReset, reset } = await startSecondFactor(
      record,
      { loginFreeTries: 3 },
    );
    await setUp();
    const cookie = await showPassword();
    for (let i = 0; i < 3; i++) await expect(step(cookie, wrongCode())).rejects.toMatchObject(notRight);
    await expect(step(cookie, codeAfter())).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    await reset(await issueReset());
    await step(await showPassword(nextPassword), codeAfter());
  });

  test('a clock that was ahead for a while shuts nobody out', async () => {
    const { setUp, showPassword, step, codeAfter, jump } = await startSecondFactor(record);
    await setUp();
    const dayMs = 24 * 60 * minuteMs;
    jump(dayMs);
    await step(await showPassword(), codeAfter());
    jump(-dayMs);
    const cookie = await showPassword();
    await step(cookie, codeAfter());
    await expect(step(cookie, codeAfter())).rejects.toMatchObject(notRight);
  });

  test('a cookie that was made up costs no statement, and shuts nobody out', async () => {
    const { setUp, showPassword, step, codeAfter } = await startSecondFactor(record, {
      loginTriesPerAddress: 3,
    });
    await setUp();
    const cookie = await showPassword();
    const [userId = '', expiresAt = '', ...signatures] = cookie.split('.');
    const forged = [
      [userId, String(Number(expiresAt) + 1), ...signatures],
      [userId, expiresAt, ...signatures.toReversed()],
      [userId, expiresAt, 'x'.repeat(43), 'x'.repeat(43)],
    ].map((parts) => parts.join('.'));
    const guess = async () => {
      for (const one of [...forged, ...forged])
        await expect(step(one, codeAfter())).rejects.toMatchObject(tooLate);
    };
    await expect.poll(() => statementsOf(record, guess)).toEqual([]);
    await step(cookie, codeAfter());
  });

  describe('after a hundred wrong codes in a row', () => {
    const off = { code: 'UNAUTHORIZED', message: expect.stringContaining('wrong 100 times') };

    async function start() {
      const account = await startSecondFactor(record);
      const codes = await account.setUp();
      const cookie = await account.showPassword();
      for (let i = 0; i < 99; i++)
        await expect(account.step(cookie, account.wrongCode())).rejects.toMatchObject(notRight);
      return { ...account, codes, cookie };
    }

    test('the app’s are taken no more, also by another server; a recovery code ends that', async () => {
      const { step, codes, cookie, codeAfter, wrongCode, auth, asking } = await start();
      await expect(step(cookie, wrongCode())).rejects.toMatchObject(notRight);
      await expect(step(cookie, codeAfter())).rejects.toMatchObject(off);
      const { auth: another } = makeTestAuth(record);
      const again = another.secondStep(
        { code: codeAfter() },
        { ...from('203.0.113.9'), pendingLogin: cookie },
      );
      await expect(again).rejects.toMatchObject(off);
      const remove = auth.secondFactor.disable(await asking(), { password, code: codeAfter() });
      await expect(remove).rejects.toMatchObject({ code: 'BAD_REQUEST', details: [{ path: 'code' }] });
      await step(cookie, recoveryCode(codes));
      await step(cookie, codeAfter());
    });

    test('a reset link ends that too', async () => {
      const { step, cookie, codeAfter, wrongCode, issueReset, reset, showPassword } = await start();
      await expect(step(cookie, wrongCode())).rejects.toMatchObject(notRight);
      await reset(await issueReset());
      await step(await showPassword(nextPassword), codeAfter());
    });

    test('a right one before the last begins the count anew', async () => {
      const { step, cookie, codeAfter, wrongCode } = await start();
      await step(cookie, codeAfter());
      for (let i = 0; i < 2; i++) await expect(step(cookie, wrongCode())).rejects.toMatchObject(notRight);
      await step(cookie, codeAfter(stepMs));
    });
  });
});
