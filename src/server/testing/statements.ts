import type { RecordStore } from '#server/db/client.ts';

/** The statements that the pool is sent while `task` runs, whoever sends them: timers have their own. */
export async function statementsOf(record: RecordStore, task: () => Promise<unknown>): Promise<string[]> {
  const { options } = record.sql;
  const debug = options.debug;
  const texts: string[] = [];
  options.debug = (connection, text, ...rest) => {
    texts.push(text);
    if (typeof debug === 'function') debug(connection, text, ...rest);
  };
  try {
    await task();
  } finally {
    options.debug = debug;
  }
  return texts;
}
