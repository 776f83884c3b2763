import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Sql } from 'postgres';
import type { Settings } from '#server/env.ts';
import type { Log } from '#server/log.ts';
import type { OpenedDatabase } from './client.ts';
import { createDriver } from './driver.ts';
import { RecordNotOpened } from './record-error.ts';

/**
 * A connection to the record of a server that runs, for an operator's command beside it. It takes no lock and changes no schema.
 * @throws RecordNotOpened when no server runs on the data directory
 */
export async function connectBeside(
  settings: Pick<Settings, 'dataDir' | 'databaseUrl'>,
  log: Log,
): Promise<Sql> {
  const { databaseUrl, dataDir } = settings;
  const target = databaseUrl === null ? await embeddedTarget(dataDir) : { url: databaseUrl };
  return createDriver({ target, max: 1, log });
}

/** Postgres says itself where it listens: who may read that, and enter the socket's folder, is an operator. */
async function embeddedTarget(dataDir: string): Promise<OpenedDatabase['target']> {
  const folder = path.join(dataDir, 'postgres');
  const text = await readFile(path.join(folder, 'data', 'postmaster.pid'), 'utf8').catch((cause: unknown) => {
    throw notRunning(dataDir, cause);
  });
  const [, , , port = '', socketFolder = ''] = text.split('\n');
  if (socketFolder !== '') return { socketPath: path.join(socketFolder, `.s.PGSQL.${port}`) };
  const password = await readFile(path.join(folder, 'password'), 'utf8');
  return { url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres?connect_timeout=60` };
}

function notRunning(dataDir: string, cause: unknown): RecordNotOpened {
  return new RecordNotOpened(
    `No server that this account may speak to runs on the data directory ${dataDir}. Start Vectora first; run this command in the same folder, as the same account and with the same settings.`,
    { cause },
  );
}
