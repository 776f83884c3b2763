import { issueResetToken } from '#server/auth/passwords/reset-links.ts';
import type { SignedIn } from '#server/auth/visitor.ts';
import type { RecordStore } from '#server/db/client.ts';
import type { Settings } from '#server/env.ts';
import { accountPassword, from, makeTestAuth, newAccount, signedIn } from './test-auth.ts';

/** What an account's password becomes unless told. */
export const nextPassword = 'difference engine';

/** Accounts on a record of their own, as `makeTestAuth` makes them, and one that is signed in. */
export async function startAccount(record: RecordStore, settings: Partial<Settings> = {}) {
  const server = makeTestAuth(record, settings);
  const { auth, clock } = server;
  const input = newAccount();
  const { email } = input;
  const own = await auth.register(input, from('198.51.100.1'));
  /** Null: the session has ended. */
  const findPrincipal = async ({ session }: SignedIn) =>
    (await auth.authenticateSession(session.cookieValue))?.principal ?? null;
  const principalOf = async (signed: SignedIn) => {
    const principal = await findPrincipal(signed);
    if (!principal) throw new Error('the session has ended');
    return principal;
  };
  return {
    ...server,
    email,
    own,
    /** The cookie of the browser that signed up. */
    device: own.device,
    findPrincipal,
    principalOf,
    asking: async () => ({ principal: await principalOf(own), from: from('198.51.100.1') }),
    login: async (password = accountPassword, address = '198.51.100.3', device: string | null = null) =>
      signedIn(await auth.login({ email, password }, from(address, device))),
    async change(currentPassword: string, password = nextPassword) {
      const input = { currentPassword, password, confirmPassword: password };
      await auth.changePassword(await principalOf(own), { input, from: from('198.51.100.1') });
    },
    /** As an operator does. */
    async issueReset() {
      const issued = await record.write((tx) => issueResetToken(tx, { email, now: clock() }));
      if (!issued) throw new Error('there is no such account');
      return issued.token;
    },
    reset: (token: string, password = nextPassword) =>
      auth.resetPassword({ token, password, confirmPassword: password }, from('198.51.100.4')),
  };
}
