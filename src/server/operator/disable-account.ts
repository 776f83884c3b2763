import { type Disabled, disableAccount, enableAccount } from '#server/auth/disable-account.ts';
import { besideServer, type Terminal } from './beside-server.ts';

const usage = 'Say which account: npm run disable-account -- <email> [--enable]';

/**
 * `npm run disable-account -- <email> [--enable]`: shuts an account out, or lets it in again.
 * @throws Error, to be printed as it is
 */
export async function runDisableAccount(args: string[], terminal: Terminal): Promise<void> {
  const isEnabling = args.includes('--enable');
  const [email, ...more] = args.filter((arg) => arg !== '--enable');
  if (email === undefined || email.startsWith('-') || more.length > 0) throw new Error(usage);
  const text = await besideServer(terminal, async (tx) => {
    const given = { email, now: new Date() };
    if (isEnabling) return enabledText(await enableAccount(tx, given));
    return disabledText(await disableAccount(tx, given));
  });
  if (text === null) throw new Error(`Nobody has an account with the email ${email}`);
  terminal.print(text);
}

function disabledText(done: Disabled | null): string | null {
  if (!done) return null;
  const { email, ended, revoked, kept } = done;
  return `
  ${email} is disabled. Sessions that have ended: ${ended}. API keys that are revoked: ${revoked}.
  API keys that go on, since others are in their workspaces: ${kept}.
  npm run disable-account -- ${email} --enable lets it in again.
`;
}

function enabledText(done: { email: string } | null): string | null {
  if (!done) return null;
  return `
  ${done.email} is enabled. API keys that were revoked stay so until somebody activates them in the console.
`;
}
