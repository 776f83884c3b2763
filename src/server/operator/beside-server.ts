import type { Database } from '#server/db/client.ts';
import { connectBeside } from '#server/db/connect-beside.ts';
import { createDatabase } from '#server/db/driver.ts';
import { RecordNotOpened, toRecordError } from '#server/db/record-error.ts';
import { readSettings, type Settings } from '#server/env.ts';
import { causesOf } from '#server/errors.ts';
import { createLog } from '#server/log.ts';
import { SettingsError } from '#server/settings-error.ts';

/** How an operator's command speaks, and its settings: absent, the process' own. */
export interface Terminal {
  print: (text: string) => void;
  env?: Record<string, string | undefined>;
}

/**
 * An operator's act, in one transaction on the record of a server that runs.
 * @throws Error, to be printed as it is
 */
export async function besideServer<T>(
  { env }: Pick<Terminal, 'env'>,
  act: (tx: Database, settings: Settings) => Promise<T>,
): Promise<T> {
  try {
    const settings = readSettings(env);
    const sql = await connectBeside(settings, createLog('silent'));
    const acting = createDatabase(sql).transaction((tx) => act(tx, settings));
    return await acting.finally(() => sql.end({ timeout: 2 }));
  } catch (error) {
    throw explained(error);
  }
}

/** A table or a column that is not there: the record is of an older version. */
const missing = new Set(['42P01', '42703']);

function explained(error: unknown): unknown {
  if (error instanceof SettingsError || error instanceof RecordNotOpened) return error;
  const known = toRecordError(error);
  if (known) return new Error('The database does not answer: is the server running?', { cause: error });
  const isOlder = [...causesOf(error)].some((cause) => 'code' in cause && missing.has(String(cause.code)));
  if (!isOlder) return error;
  return new Error('The server that runs is of an older version, which cannot do this: update it first', {
    cause: error,
  });
}
