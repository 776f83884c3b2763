import { issueResetToken } from '#server/auth/reset-links.ts';
import { besideServer, type Terminal } from './beside-server.ts';

/**
 * `npm run reset-password -- <email>`: prints a link that sets the account's password.
 * @throws Error, to be printed as it is
 */
export async function printResetLink(args: string[], terminal: Terminal): Promise<void> {
  const [email, ...more] = args;
  if (email === undefined || more.length > 0) {
    throw new Error('Say whose password: npm run reset-password -- <email>');
  }
  const { base, issued } = await besideServer(terminal, async (tx, settings) => ({
    base: settings.publicUrl ?? `http://${settings.host}:${settings.port}`,
    issued: await issueResetToken(tx, { email, now: new Date() }),
  }));
  if (!issued) throw new Error(`Nobody has an account with the email ${email}, or it is disabled`);
  terminal.print(`
  ${base}/reset-password/${issued.token}

  This link sets the password of ${issued.user.email}, once and until ${issued.expiresAt.toISOString()}.
  Whoever has it can take the account over: hand it to its owner alone.
`);
}
