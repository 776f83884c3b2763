import { access, mkdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '#server/log.ts';
import type { OpenedDatabase } from '../client.ts';
import { closeAll } from '../close-all.ts';
import { openPool } from '../driver.ts';
import { refuseMoved } from '../moved-away.ts';
import { databaseUnavailable, RecordNotOpened } from '../record-error.ts';
import { onlyServer } from '../servers.ts';
import { chooseAccount } from './account.ts';
import { type Ballast, isDiskFull, keepBallast } from './ballast.ts';
import { clusterIn, ensureCluster, ownOrder } from './cluster.ts';
import { type EmbeddedServer, startEmbeddedServer } from './embedded-server.ts';
import { embeddedSettings, poolMax } from './embedded-settings.ts';
import { loopbackEndpoint, makeSocketFolder, socketEndpoint } from './endpoint.ts';
import { lockDataDir } from './lock.ts';
import { preparePrograms } from './platform-programs.ts';
import { createReserveRations } from './reserve-ration.ts';
import { createSpaceGuard } from './space-guard.ts';

export interface EmbeddedOptions {
  dataDir: string;
  storageReserveBytes: number;
  log: Log;
  clock: () => Date;
  /** Opened too where its record goes on elsewhere. */
  evenMoved?: boolean | undefined;
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

/** Room for two parts of Postgres' log. */
const ballastBytes = 32 * 2 ** 20;

/** @throws RecordNotOpened when another process holds the data directory, its record was moved, or its Postgres cannot be started */
export async function openEmbedded(options: EmbeddedOptions): Promise<OpenedDatabase> {
  const closers: (() => Promise<void>)[] = [];
  const close = () => closeAll(closers.reverse().splice(0));
  try {
    return { ...(await open(options, closers)), close };
  } catch (error) {
    await close().catch((fault: unknown) =>
      options.log.error('the data directory was not left cleanly', { error: fault }),
    );
    throw notOpened(options.dataDir, error);
  }
}

async function open(
  options: EmbeddedOptions,
  closers: (() => Promise<void>)[],
): Promise<Omit<OpenedDatabase, 'close'>> {
  const { dataDir, log, clock, machine = {} } = options;
  const { hasSockets = process.platform !== 'win32', lockWithinMs } = machine;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const socketFolder = hasSockets ? await makeSocketFolder() : null;
  if (socketFolder !== null) closers.push(() => rm(socketFolder, { recursive: true, force: true }));
  const lock = await withRoom(dataDir, () =>
    lockDataDir({ dataDir, socketFolder, log, waitMs: lockWithinMs }),
  );
  closers.push(() => lock.release());
  await refuseFormerFormat(dataDir);
  if (options.evenMoved !== true) await refuseMoved(dataDir);
  const { server, ballast, target } = await start(options, socketFolder);
  closers.push(() => server.stop());
  const sql = await openPool({ target, max: poolMax, log });
  closers.push(() => sql.end({ timeout: 5 }));
  const assertSpace = createSpaceGuard({ folder: dataDir, reserveBytes: options.storageReserveBytes, clock });
  const takeOfReserve = createReserveRations(clock);
  return {
    mode: 'embedded',
    servers: onlyServer(),
    target,
    sql,
    async assertWritable({ mayUseReserve = false } = {}) {
      if (!server.isUp()) throw databaseUnavailable();
      if (mayUseReserve === true) return;
      try {
        await ballast.assertKept();
        await assertSpace();
      } catch (error) {
        if (mayUseReserve === false || !takeOfReserve(mayUseReserve)) throw error;
      }
    },
    // The directory's lock is a file that this process keeps until its end.
    onRegained: () => undefined,
  };
}

/** All that Postgres needs lies here. */
const folderIn = (dataDir: string) => path.join(dataDir, 'postgres');
const ballastIn = (dataDir: string) => path.join(folderIn(dataDir), 'ballast');

/** On a disk that is full to the last byte not even a lock can be taken. */
async function withRoom<T>(dataDir: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    await rm(ballastIn(dataDir), { force: true });
    return await action();
  }
}

interface Started {
  server: EmbeddedServer;
  ballast: Ballast;
  target: OpenedDatabase['target'];
}

async function start(options: EmbeddedOptions, socketFolder: string | null): Promise<Started> {
  const { log, clock, machine } = options;
  const dataDir = await realpath(options.dataDir);
  const folder = folderIn(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const programs = await preparePrograms({
    copyTo: path.join(folder, 'programs'),
    nativeFolder: machine?.nativeFolder,
  });
  const cluster = clusterIn(folder);
  const account = await chooseAccount({ program: programs.postgres, folder, above: dataDir, cluster });
  const { clusterSettings, settings, target } =
    socketFolder === null
      ? await loopbackEndpoint(folder)
      : await socketEndpoint({ socketFolder, dataDir, account });
  await ensureCluster({ programs, account, folder, settings: [...clusterSettings, ...ownOrder] });
  const ballast = await keepBallast({ file: ballastIn(dataDir), bytes: ballastBytes, clock });
  const server = await startEmbeddedServer({
    programs,
    account,
    cluster,
    settings: { ...embeddedSettings, ...settings },
    socketFolder,
    makeRoom: ballast.release,
    log,
  });
  return { server, ballast, target };
}

/** Versions before this one kept an embedded database of another make in `record`; its files cannot be read. */
async function refuseFormerFormat(dataDir: string): Promise<void> {
  const former = path.join(dataDir, 'record');
  const isFormer = await access(former).then(
    () => true,
    () => false,
  );
  if (!isFormer) return;
  throw new RecordNotOpened(
    `The data directory ${dataDir} was written by an older version of Vectora, whose embedded database this one cannot read. Export its collections with that version and import them into a new DATA_DIR, or move ${former} away to start empty; nothing was changed.`,
  );
}

function notOpened(dataDir: string, error: unknown): RecordNotOpened {
  if (error instanceof RecordNotOpened) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new RecordNotOpened(`The embedded database in ${dataDir} cannot be opened: ${reason}`, {
    cause: error,
  });
}
