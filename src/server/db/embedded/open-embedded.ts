import { access, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Log } from '#server/log.ts';
import type { OpenedDatabase } from '../client.ts';
import { createDriver } from '../driver.ts';
import { databaseUnavailable, RecordRefused } from '../record-error.ts';
import { chooseAccount, giveTo } from './account.ts';
import { ensureCluster } from './cluster.ts';
import { type EmbeddedServer, startEmbeddedServer } from './embedded-server.ts';
import { embeddedSettings } from './embedded-settings.ts';
import { lockDataDir } from './lock.ts';
import { preparePrograms } from './platform-programs.ts';
import { createSpaceGuard } from './space-guard.ts';

export interface EmbeddedOptions {
  dataDir: string;
  storageReserveBytes: number;
  log: Log;
  clock: () => Date;
  freeBytes?: ((folder: string) => Promise<number>) | undefined;
}

/** Connections of this server's pool. */
const poolMax = 10;

/** @throws RecordRefused when another process holds the data directory, or its Postgres cannot be started */
export async function openEmbedded(options: EmbeddedOptions): Promise<OpenedDatabase> {
  const { dataDir, log, clock, freeBytes } = options;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // A socket's path has 107 bytes at most, so it never lies in the data directory; the folder's mode keeps others out.
  const socketFolder = await mkdtemp(path.join(tmpdir(), 'vectora-'));
  const clearSocket = () => rm(socketFolder, { recursive: true, force: true });
  const lock = await lockDataDir({ dataDir, socketFolder }).catch(async (error: unknown) => {
    await clearSocket();
    throw error;
  });
  let server: EmbeddedServer;
  try {
    server = await startIn(dataDir, socketFolder, log);
  } catch (error) {
    await clearSocket();
    await lock.release();
    throw refusal(dataDir, error);
  }
  const target = { socketPath: path.join(socketFolder, '.s.PGSQL.5432') };
  const sql = createDriver({ target, max: poolMax, log });
  const assertSpace = createSpaceGuard({
    folder: dataDir,
    reserveBytes: options.storageReserveBytes,
    clock,
    ...(freeBytes && { freeBytes }),
  });
  return {
    mode: 'embedded',
    target,
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

async function startIn(dataDir: string, socketFolder: string, log: Log): Promise<EmbeddedServer> {
  await refuseFormerFormat(dataDir);
  const folder = path.join(dataDir, 'postgres');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const programs = await preparePrograms({ copyTo: path.join(folder, 'programs') });
  const account = await chooseAccount(programs.postgres, socketFolder);
  if (!account.walksEverywhere) await giveTo(account, folder);
  const dataFolder = await ensureCluster({ programs, account, folder });
  return await startEmbeddedServer({
    programs,
    account,
    dataFolder,
    socketFolder,
    settings: embeddedSettings,
    log,
  });
}

/** Versions before this one kept an embedded database of another make in `record`; their files cannot be read. */
async function refuseFormerFormat(dataDir: string): Promise<void> {
  const former = path.join(dataDir, 'record');
  const isFormer = await access(path.join(former, 'PG_VERSION')).then(
    () => true,
    () => false,
  );
  if (!isFormer) return;
  throw new RecordRefused(
    `The data directory ${dataDir} was written by an older version of Vectora, whose embedded database this one cannot read. Export its collections with that version and import them into a new DATA_DIR, or move ${former} away to start empty; nothing was changed.`,
  );
}

function refusal(dataDir: string, error: unknown): RecordRefused {
  if (error instanceof RecordRefused) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new RecordRefused(`The embedded database in ${dataDir} cannot be started: ${reason}`, {
    cause: error,
  });
}
