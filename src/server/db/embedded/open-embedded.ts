import { access, mkdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '#server/log.ts';
import type { OpenedDatabase } from '../client.ts';
import { createDriver } from '../driver.ts';
import { databaseUnavailable, RecordRefused } from '../record-error.ts';
import { chooseAccount } from './account.ts';
import { clusterIn, ensureCluster, ownOrder } from './cluster.ts';
import { type EmbeddedServer, startEmbeddedServer } from './embedded-server.ts';
import { embeddedSettings, poolMax } from './embedded-settings.ts';
import { loopbackEndpoint, makeSocketFolder, socketEndpoint } from './endpoint.ts';
import { lockDataDir } from './lock.ts';
import { preparePrograms } from './platform-programs.ts';
import { createSpaceGuard } from './space-guard.ts';

export interface EmbeddedOptions {
  dataDir: string;
  storageReserveBytes: number;
  log: Log;
  clock: () => Date;
  /** Tests choose what a platform chooses otherwise. */
  machine?: EmbeddedMachine | undefined;
}

export interface EmbeddedMachine {
  /** Whether Node speaks over Unix sockets here. */
  hasSockets?: boolean;
  /** The `native` folder of the platform's package. */
  nativeFolder?: string;
  /** How long the holder of the directory may take to be gone. */
  lockWithinMs?: number;
}

/** @throws RecordRefused when another process holds the data directory, or its Postgres cannot be started */
export async function openEmbedded(options: EmbeddedOptions): Promise<OpenedDatabase> {
  const { dataDir, log, clock, machine = {} } = options;
  const { hasSockets = process.platform !== 'win32', lockWithinMs } = machine;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const socketFolder = hasSockets ? await makeSocketFolder() : null;
  const clear = async () => {
    if (socketFolder !== null) await rm(socketFolder, { recursive: true, force: true });
  };
  const lock = await lockDataDir({ dataDir, socketFolder, log, waitMs: lockWithinMs }).catch(
    async (error: unknown) => {
      await clear();
      throw error;
    },
  );
  let started: Started;
  try {
    started = await startIn({ dataDir, socketFolder, log, nativeFolder: machine.nativeFolder });
  } catch (error) {
    await clear();
    await lock.release();
    throw refusal(dataDir, error);
  }
  const { server, target } = started;
  const sql = createDriver({ target, max: poolMax, log });
  const assertSpace = createSpaceGuard({
    folder: dataDir,
    reserveBytes: options.storageReserveBytes,
    clock,
  });
  return {
    mode: 'embedded',
    target,
    sql,
    async assertWritable(given) {
      if (!server.isUp()) throw databaseUnavailable();
      if (!given?.mayUseReserve) await assertSpace();
    },
    // The directory's lock is a file that this process keeps until its end.
    onRegained: () => undefined,
    async close() {
      await sql.end({ timeout: 5 });
      await server.stop();
      await clear();
      await lock.release();
    },
  };
}

interface StartOptions {
  dataDir: string;
  socketFolder: string | null;
  log: Log;
  nativeFolder: string | undefined;
}

interface Started {
  server: EmbeddedServer;
  target: OpenedDatabase['target'];
}

/** All that Postgres needs lies in `postgres/` in the data directory. */
async function startIn({ dataDir, socketFolder, log, nativeFolder }: StartOptions): Promise<Started> {
  await refuseFormerFormat(dataDir);
  const folder = path.join(await realpath(dataDir), 'postgres');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const programs = await preparePrograms({ copyTo: path.join(folder, 'programs'), nativeFolder });
  const cluster = clusterIn(folder);
  const account = await chooseAccount({ program: programs.postgres, folder, above: dataDir, cluster });
  const { clusterSettings, settings, target } =
    socketFolder === null ? await loopbackEndpoint(folder) : await socketEndpoint(socketFolder, account);
  await ensureCluster({ programs, account, folder, settings: [...clusterSettings, ...ownOrder] });
  const server = await startEmbeddedServer({
    programs,
    account,
    cluster,
    settings: { ...embeddedSettings, ...settings },
    socketFolder,
    log,
  });
  return { server, target };
}

/** Versions before this one kept an embedded database of another make in `record`; its files cannot be read. */
async function refuseFormerFormat(dataDir: string): Promise<void> {
  const former = path.join(dataDir, 'record');
  const isFormer = await access(former).then(
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
