import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RecordStore } from '#server/db/client.ts';
import { auditEntries } from '#server/db/schema/audit-entries.ts';
import { dumpRecord } from '#server/testing/dump.ts';
import { openTestRecord } from '#server/testing/open-record.ts';
import { recoveryCode, startSecondFactor, stepMs, tooLate } from '#server/testing/second-factor-account.ts';
import { nextPassword as next } from '#server/testing/test-account.ts';
import { from, accountPassword as password, signedIn } from '#server/testing/test-auth.ts';
import { removeSecondFactor } from './remove-second-factor.ts';

describe('a second factor', () => {
  let record: RecordStore;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ record, close } = await openTestRecord());
  });
  afterAll(() => close());

  test('setting it up, changing and removing it asks for the password, and ends the other sessions', async () => {
    const { auth, asking, begin, codeAfter, pass, own, principalOf, email } = await startSecondFactor(record);
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
    const { auth, asking, begin, codeAfter, email, principalOf } = await startSecondFactor(record, {
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
    const { auth, clock, setUp, showPassword, step, codeAfter, email, own, issueReset, reset } =
      await startSecondFactor(record);
    await setUp();
    await reset(await issueReset());
    await step(await showPassword(next), codeAfter());
    const cookie = await showPassword(next);
    await record.write((tx) => removeSecondFactor(tx, { userId: own.user.id, now: clock() }));
    await expect(step(cookie, codeAfter(stepMs))).rejects.toMatchObject(tooLate);
    signedIn(await auth.login({ email, password: next }, from('198.51.100.2')));
  });

  test('a stolen dump holds neither the secret nor a code, and a secret moved to another account is none', async () => {
    const { begin, auth, asking, codeAfter, own } = await startSecondFactor(record);
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
    const other = await startSecondFactor(record);
    await other.setUp();
    await record.sql`update second_factors set secret = (
      select secret from second_factors where user_id = ${own.user.id}) where user_id = ${other.own.user.id}`;
    const step = other.step(await other.showPassword(), codeAfter(stepMs));
    await expect(step).rejects.toMatchObject({ code: 'UNPROCESSABLE' });
  });

  test('each act is written down', async () => {
    const { auth, asking, setUp, showPassword, step, codeAfter, own } = await startSecondFactor(record);
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
