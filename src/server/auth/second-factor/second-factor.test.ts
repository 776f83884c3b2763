import { eq } from 'drizzle-orm';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RecordStore } from '#server/db/client.ts';
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
import type { SignedIn, Visitor } from '../auth.ts';
import { issueResetToken } from '../passwords/reset-links.ts';
import { removeSecondFactor } from './remove-second-factor.ts';

const stepMs = 30_000;
const minuteMs = 60_000;
const notRight = { code: 'UNAUTHORIZED', details: [{ path: 'code' }] };
const tooLate = { code: 'UNAUTHORIZED', message: expect.stringContaining('sign in again') };

describe('a second factor', () => {
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
    const { email } = input;
    const own = await auth.register(input, from('198.51.100.1'));
    const principalOf = async ({ session }: SignedIn) => {
      const found = await auth.authenticateSession(session.cookieValue);
      if (!found) throw new Error('the session has ended');
      return found.principal;
    };
    const asking = async () => ({ principal: await principalOf(own), from: from('198.51.100.1') });
    let secret = '';
    const codeAfter = (ms = 0) => new TOTP({ secret }).generate({ timestamp: clock().getTime() + ms });
    const begin = async () => {
      const started = await auth.secondFactor.start(await asking(), { password });
      ({ secret } = started);
      return started;
    };
    return {
      ...server,
      email,
      own,
      asking,
      principalOf,
      codeAfter,
      begin,
      async setUp() {
        await begin();
        const { recoveryCodes } = await auth.secondFactor.confirm(await asking(), { code: codeAfter() });
        server.pass(stepMs);
        return recoveryCodes;
      },
      /** The cookie after a right password. */
      async showPassword(given = password) {
        const shown = await auth.login({ email, password: given }, from('198.51.100.2'));
        if ('user' in shown) throw new Error('no code was asked for');
        return shown.pendingLogin.cookieValue;
      },
      step: (pendingLogin: string, code: string, more: Partial<Visitor> = {}) =>
        auth.secondStep({ code }, { ...from('198.51.100.2'), pendingLogin, ...more }),
    };
  }

  const recoveryCode = (codes: string[], place = 0) => {
    const code = codes[place];
    if (code === undefined) throw new Error('there is no such recovery code');
    return code;
  };

  test('the codes are those of RFC 6238', async () => {
    // Its appendix B, of which six digits are the last of eight: secret "12345678901234567890", SHA-1.
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
    const { findStep } = await import('./totp.ts');
    for (const [seconds, code] of [
      [59, '287082'],
      [1_111_111_109, '081804'],
      [1_234_567_890, '005924'],
      [20_000_000_000, '353130'],
    ] as const)
      expect(findStep(secret, { code, now: new Date(seconds * 1000) })).toBe(Math.floor(seconds / 30));
  });

  test('is asked for after the password, once it was shown to work', async () => {
    const { begin, setUp, showPassword, step, codeAfter, auth, email, principalOf } = await start();
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
    const { auth, email, setUp, showPassword, step, codeAfter } = await start();
    await setUp();
    expect(await auth.authenticateSession(await showPassword())).toBeNull();
    const wrong = auth.login({ email, password: 'wrong' }, from('198.51.100.2'));
    await expect(wrong).rejects.toMatchObject({ message: 'Invalid email or password' });
    for (const cookie of ['', 'x', `1.${Number.MAX_SAFE_INTEGER}.${'x'.repeat(43)}`])
      await expect(step(cookie, codeAfter())).rejects.toMatchObject(tooLate);
    const other = await start();
    await other.setUp();
    const [ownId = '', ...rest] = (await other.showPassword()).split('.');
    const forged = [Number(ownId) - 1, ...rest].join('.');
    await expect(step(forged, codeAfter())).rejects.toMatchObject(tooLate);
  });

  test('a code is good for the 30 seconds before and after its own, and once', async () => {
    const { setUp, showPassword, step, codeAfter, pass } = await start();
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
    const { setUp, showPassword, step, codeAfter } = await start();
    const codes = await setUp();
    const cookie = await showPassword();
    for (const code of [codeAfter(), recoveryCode(codes)]) {
      const results = await Promise.allSettled([1, 2, 3, 4].map(() => step(cookie, code)));
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    }
  });

  test('a password is right for ten minutes, and until it is changed', async () => {
    const { auth, asking, setUp, showPassword, step, codeAfter, pass } = await start();
    await setUp();
    const first = await showPassword();
    pass(10 * minuteMs - 1);
    await step(first, codeAfter());
    pass(1);
    await expect(step(first, codeAfter(stepMs))).rejects.toMatchObject(tooLate);
    const second = await showPassword();
    const change = {
      currentPassword: password,
      password: 'a third engine',
      confirmPassword: 'a third engine',
    };
    await auth.changePassword((await asking()).principal, { input: change, from: from('198.51.100.1') });
    await expect(step(second, codeAfter(stepMs))).rejects.toMatchObject(tooLate);
  });

  test('recovery codes are good once each, however they are typed', async () => {
    const { auth, asking, setUp, showPassword, step } = await start();
    const codes = await setUp();
    expect(codes).toHaveLength(10);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([a-z2-7]{4}-){5}[a-z2-7]{4}$/);
    await step(await showPassword(), recoveryCode(codes));
    await expect(step(await showPassword(), recoveryCode(codes))).rejects.toMatchObject(notRight);
    await step(await showPassword(), ` ${recoveryCode(codes, 1).replaceAll('-', ' ').toUpperCase()}`);
    const { principal } = await asking();
    expect(await auth.secondFactor.state(principal)).toEqual({ isOn: true, recoveryCodesLeft: 8 });
    const other = await start();
    await other.setUp();
    const foreign = other.step(await other.showPassword(), recoveryCode(codes, 2));
    await expect(foreign).rejects.toMatchObject(notRight);
  });

  test('guesses wait, from whatever address and browser, however often the password is shown', async () => {
    const { setUp, showPassword, step, codeAfter, pass } = await start({ loginFreeTries: 3 });
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

  test('setting it up, changing and removing it asks for the password, and ends the other sessions', async () => {
    const { auth, asking, begin, codeAfter, pass, own, principalOf, email } = await start();
    const { secondFactor } = auth;
    const atPassword = { code: 'BAD_REQUEST', details: [{ path: 'password' }] };
    const atCode = { code: 'BAD_REQUEST', details: [{ path: 'code' }] };
    await expect(secondFactor.start(await asking(), { password: 'wrong' })).rejects.toMatchObject(atPassword);
    await expect(secondFactor.confirm(await asking(), { code: '000000' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    const other = signedIn(await auth.login({ email, password }, from('198.51.100.2')));
    await begin();
    await expect(secondFactor.confirm(await asking(), { code: '000000' })).rejects.toMatchObject(atCode);
    const { recoveryCodes } = await secondFactor.confirm(await asking(), { code: codeAfter() });
    await expect(principalOf(other)).rejects.toThrow('the session has ended');
    expect(await principalOf(own)).toBeDefined();
    const again = { code: 'CONFLICT', message: expect.stringContaining('already') };
    await expect(secondFactor.start(await asking(), { password })).rejects.toMatchObject(again);

    pass(stepMs);
    for (const change of [secondFactor.renewCodes, secondFactor.disable]) {
      const wrong = { password: 'wrong', code: codeAfter() };
      await expect(change(await asking(), wrong)).rejects.toMatchObject(atPassword);
      await expect(change(await asking(), { password, code: '000000' })).rejects.toMatchObject(atCode);
    }
    const renewed = await secondFactor.renewCodes(await asking(), { password, code: codeAfter() });
    const former = { password, code: recoveryCode(recoveryCodes) };
    await expect(secondFactor.disable(await asking(), former)).rejects.toMatchObject(atCode);
    await secondFactor.disable(await asking(), { password, code: recoveryCode(renewed.recoveryCodes) });
    expect(await secondFactor.state(await principalOf(own))).toEqual({ isOn: false, recoveryCodesLeft: 0 });
    signedIn(await auth.login({ email, password }, from('198.51.100.2')));
  });

  test('no session begins with the password alone while it is set up', async () => {
    const { auth, asking, begin, codeAfter, email, principalOf } = await start({
      passwordHashBytes: 4 * 1024 * 1024,
    });
    await begin();
    const confirming = auth.secondFactor.confirm(await asking(), { code: codeAfter() });
    const tries = Array.from({ length: 12 }, () =>
      auth.login({ email, password }, from('198.51.100.2')).catch(() => null),
    );
    await confirming;
    for (const shown of await Promise.all(tries))
      if (shown && 'user' in shown)
        await expect(principalOf(shown), 'a session without a code').rejects.toThrow('has ended');
  });

  test('a new password does not remove it; an operator does', async () => {
    const { auth, clock, setUp, showPassword, step, codeAfter, email, own } = await start();
    await setUp();
    const issued = await record.write((tx) => issueResetToken(tx, { email, now: clock() }));
    const next = 'difference engine';
    await auth.resetPassword(
      { token: issued?.token ?? '', password: next, confirmPassword: next },
      from('a'),
    );
    await step(await showPassword(next), codeAfter());
    const cookie = await showPassword(next);
    await record.write((tx) => removeSecondFactor(tx, { userId: own.user.id, now: clock() }));
    await expect(step(cookie, codeAfter(stepMs))).rejects.toMatchObject(tooLate);
    signedIn(await auth.login({ email, password: next }, from('198.51.100.2')));
  });

  test('a stolen dump holds neither the secret nor a code, and a secret moved to another account is none', async () => {
    const { begin, auth, asking, codeAfter, own } = await start();
    const { secret } = await begin();
    const { recoveryCodes } = await auth.secondFactor.confirm(await asking(), { code: codeAfter() });
    const dump = await dumpRecord(record);
    const hex = Buffer.from(secret).toString('hex');
    for (const planted of [
      secret,
      hex,
      ...recoveryCodes,
      ...recoveryCodes.map((one) => one.replaceAll('-', '')),
    ])
      expect(dump).not.toContain(planted);
    const other = await start();
    await other.setUp();
    await record.sql`update second_factors set secret = (
      select secret from second_factors where user_id = ${own.user.id}) where user_id = ${other.own.user.id}`;
    const step = other.step(await other.showPassword(), codeAfter(stepMs));
    await expect(step).rejects.toMatchObject({ code: 'UNPROCESSABLE' });
  });

  test('each act is written down', async () => {
    const { auth, asking, setUp, showPassword, step, codeAfter, own } = await start();
    const codes = await setUp();
    await step(await showPassword(), codeAfter());
    await step(await showPassword(), recoveryCode(codes));
    const renew = { password, code: recoveryCode(codes, 1) };
    const renewed = await auth.secondFactor.renewCodes(await asking(), renew);
    await auth.secondFactor.disable(await asking(), { password, code: recoveryCode(renewed.recoveryCodes) });
    const entries = await record.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.actorId, own.user.id))
      .orderBy(auditEntries.id);
    expect(entries.map(({ action, after }) => (after ? `${action} by ${after['by']}` : action))).toEqual([
      'auth.register',
      'secondFactor.start',
      'secondFactor.confirm',
      'auth.secondStep by app',
      'auth.secondStep by recovery code',
      'secondFactor.renewCodes',
      'secondFactor.disable',
    ]);
  });
});
