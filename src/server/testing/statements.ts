import { AsyncLocalStorage } from 'node:async_hooks';
import type { RecordStore } from '#server/db/client.ts';

/** The statements that the pool is sent by `task` and all that it calls. What the server sends by itself meanwhile, on its timers, is not among them. */
export async function statementsOf(record: RecordStore, task: () => Promise<unknown>): Promise<string[]> {
  const { options } = record.sql;
  const debug = options.debug;
  const texts: string[] = [];
  const own = new AsyncLocalStorage<true>();
  options.debug = (connection, text, ...rest) => {
    if (own.getStore()) texts.push(text);
    if (typeof debug === 'function') debug(connection, text, ...rest);
  };
  try {
    await own.run(true, task);
  } finally {
    options.debug = debug;
    own.disable();
  }
  return texts;
}
