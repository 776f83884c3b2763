import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Log } from '#server/log.ts';
import { createDriver } from '../driver.ts';
import type { OpenedDatabase } from '../open-record.ts';
import { databaseUnavailable, RecordRefused } from '../record-error.ts';
import { startEmbeddedServer } from './embedded-server.ts';
import { lockDataDir } from './lock.ts';
import { createSpaceGuard } from './space-guard.ts';

export interface EmbeddedOptions {
  dataDir: string;
  storageReserveBytes: number;
  log: Log;
  clock: () => Date;
  freeBytes?: ((folder: string) => Promise<number>) | undefined;
  watchdog?: { beatMs: number; beatsMissedMax: number } | undefined;
}

/** @throws RecordRefused when another process holds the data directory or its files cannot be opened */
export async function openEmbedded(options: EmbeddedOptions): Promise<OpenedDatabase> {
  const { dataDir, log, clock, freeBytes, watchdog = { beatMs: 1_000, beatsMissedMax: 10 } } = options;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // A Unix socket's path has 107 bytes at most, so it never lies in the data directory; the folder's mode keeps others out.
  const socketFolder = await mkdtemp(path.join(tmpdir(), 'vectora-'));
  const socketPath = path.join(socketFolder, 'db');
  const clearSocket = () => rm(socketFolder, { recursive: true, force: true });
  const lock = await lockDataDir({ dataDir, socketFolder }).catch(async (error: unknown) => {
    await clearSocket();
    throw error;
  });
  // One connection: PGlite's protocol breaks with more.
  const sql = createDriver({ target: { socketPath }, max: 1, log });
  const folder = path.join(dataDir, 'record');
  const verify = async () => {
    await sql`select count(*) from drizzle.__drizzle_migrations`;
  };
  const server = await startEmbeddedServer({ folder, socketPath, log, ...watchdog, verify }).catch(
    async (error: unknown) => {
      await clearSocket();
      await lock.release();
      throw new RecordRefused(`The embedded database in ${folder} cannot be opened: ${String(error)}`, {
        cause: error,
      });
    },
  );
  log.warn(
    'the embedded database survives a killed process but not a power loss; use DATABASE_URL where that matters',
  );
  const assertSpace = createSpaceGuard({
    folder: dataDir,
    reserveBytes: options.storageReserveBytes,
    clock,
    ...(freeBytes && { freeBytes }),
  });
  return {
    mode: 'embedded',
    sql,
    async assertWritable(options) {
      if (!server.isUp()) throw databaseUnavailable();
      if (!options?.mayUseReserve) await assertSpace();
    },
    // The directory's lock is a file that this process keeps until its end.
    onRegained: () => undefined,
    async close() {
      await sql.end({ timeout: 5 });
      await server.stop();
      await clearSocket();
      await lock.release();
    },
  };
}
