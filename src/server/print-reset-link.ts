import { issueResetToken } from './auth/reset-links.ts';
import { connectBeside } from './db/connect-beside.ts';
import { createDatabase } from './db/driver.ts';
import { RecordRefused, toRecordError } from './db/record-error.ts';
import { readSettings, SettingsError } from './env.ts';
import { causesOf } from './errors.ts';
import { createLog } from './log.ts';

/**
 * `npm run reset-password -- <email>`: an operator's command, run beside the server. It prints a link that sets the account's password.
 * @throws Error, to be printed as it is
 */
export async function printResetLink(
  args: string[],
  { print, env }: { print: (text: string) => void; env?: Record<string, string | undefined> },
): Promise<void> {
  const [email, ...more] = args;
  if (email === undefined || more.length > 0) {
    throw new Error('Say whose password: npm run reset-password -- <email>');
  }
  try {
    const settings = readSettings(env);
    const sql = await connectBeside(settings, createLog('silent'));
    const issuing = createDatabase(sql).transaction((tx) => issueResetToken(tx, { email, now: new Date() }));
    const issued = await issuing.finally(() => sql.end({ timeout: 2 }));
    if (!issued) throw new Error(`Nobody has an account with the email ${email}`);
    const base = settings.publicUrl ?? `http://${settings.host}:${settings.port}`;
    print(`
  ${base}/reset-password/${issued.token}

  This link sets the password of ${issued.user.email}, once and until ${issued.expiresAt.toISOString()}.
  Whoever has it can take the account over: hand it to its owner alone.
`);
  } catch (error) {
    throw explained(error);
  }
}

/** A table that is not there: the record is of an older version. */
const noSuchTable = '42P01';

function explained(error: unknown): unknown {
  if (error instanceof SettingsError || error instanceof RecordRefused) return error;
  const known = toRecordError(error);
  if (known) return new Error('The database does not answer: is the server running?', { cause: error });
  const isOlder = [...causesOf(error)].some((cause) => 'code' in cause && cause.code === noSuchTable);
  if (!isOlder) return error;
  return new Error(
    'The server that runs is of an older version, which knows no reset links: update it first',
    {
      cause: error,
    },
  );
}
