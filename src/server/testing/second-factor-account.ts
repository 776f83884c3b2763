import { TOTP } from 'otpauth';
import type { Visitor } from '#server/auth/visitor.ts';
import type { RecordStore } from '#server/db/client.ts';
import type { Settings } from '#server/env.ts';
import { startAccount } from './test-account.ts';
import { accountPassword, from } from './test-auth.ts';

/** For so long a code is the app's. */
export const stepMs = 30_000;

/** What is answered to a code that is not taken, and to whoever must show the password again. */
export const notRight = { code: 'UNAUTHORIZED', details: [{ path: 'code' }] };
export const tooLate = {
  code: 'UNAUTHORIZED',
  message: 'Your password was given too long ago; sign in again',
};

/** An account, and the app that makes its codes once it is set up. */
export async function startSecondFactor(record: RecordStore, settings: Partial<Settings> = {}) {
  const account = await startAccount(record, settings);
  const { auth, clock, email, asking } = account;
  let secret = '';
  const codeAfter = (ms = 0) => new TOTP({ secret }).generate({ timestamp: clock().getTime() + ms });
  const begin = async () => {
    const started = await auth.secondFactor.start(await asking(), { password: accountPassword });
    ({ secret } = started);
    return started;
  };
  return {
    ...account,
    begin,
    codeAfter,
    /** A code that is none of these moments'. */
    wrongCode() {
      const right = [-stepMs, 0, stepMs].map(codeAfter);
      return ['000000', '000001', '000002', '000003'].find((code) => !right.includes(code)) ?? '';
    },
    async setUp() {
      await begin();
      const { recoveryCodes } = await auth.secondFactor.confirm(await asking(), { code: codeAfter() });
      account.pass(stepMs);
      return recoveryCodes;
    },
    /** The cookie after a right password. */
    async showPassword(given = accountPassword) {
      const shown = await auth.login({ email, password: given }, from('198.51.100.2'));
      if ('user' in shown) throw new Error('no code was asked for');
      return shown.pendingLogin.cookieValue;
    },
    step: (pendingLogin: string, code: string, more: Partial<Visitor> = {}) =>
      auth.secondStep({ code }, { ...from('198.51.100.2'), pendingLogin, ...more }),
  };
}

export function recoveryCode(codes: string[], place = 0): string {
  const code = codes[place];
  if (code === undefined) throw new Error('there is no such recovery code');
  return code;
}
