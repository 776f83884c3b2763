import { issueResetToken, resetLinkUrl } from '#server/auth/passwords/reset-links.ts';
import { removeSecondFactor } from '#server/auth/second-factor/remove-second-factor.ts';
import { besideServer, type Terminal } from './beside-server.ts';

const usage = 'Say whose password: npm run reset-password -- <email> [--remove-second-factor]';
const removeFlag = '--remove-second-factor';

/**
 * `npm run reset-password -- <email> [--remove-second-factor]`: prints a link that sets the account's password. A second factor stays
 * unless it is told otherwise: whoever reads an owner's mail has not got the owner's telephone.
 * @throws Error, to be printed as it is
 */
export async function printResetLink(args: string[], terminal: Terminal): Promise<void> {
  const isRemoving = args.includes(removeFlag);
  const [email, ...more] = args.filter((arg) => arg !== removeFlag);
  if (email === undefined || email.startsWith('-') || more.length > 0) throw new Error(usage);
  const issued = await besideServer(terminal, async (tx, settings) => {
    const now = new Date();
    const reset = await issueResetToken(tx, { email, now });
    if (reset && isRemoving) await removeSecondFactor(tx, { userId: reset.user.id, now });
    return reset && { ...reset, url: resetLinkUrl(settings, reset.token) };
  });
  if (!issued) throw new Error(`Nobody has an account with the email ${email}, or it is disabled`);
  terminal.print(`
  ${issued.url}

  This link sets the password of ${issued.user.email}, once and until ${issued.expiresAt.toISOString()}.
  Whoever has it can take the account over: hand it to its owner alone.
${isRemoving ? '  No second factor is asked for any more.\n' : ''}`);
}
