import { randomInt } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chooseAccount } from '#server/db/embedded/account.ts';
import { clusterIn, ensureCluster } from '#server/db/embedded/cluster.ts';
import { freePort } from '#server/db/embedded/free-port.ts';
import { type Programs, preparePrograms, programsIn } from '#server/db/embedded/platform-programs.ts';
import { startPostmaster } from '#server/db/embedded/postmaster.ts';
import { createLog } from '#server/log.ts';

/** A Postgres for the tests of one run, thrown away afterwards. */
export interface TestPostgres {
  /** The administrator's address. */
  url: string;
  /** Ends it for a while; `up` starts it again, on the same port with all it had. */
  down(): Promise<void>;
  up(): Promise<void>;
  stop(): Promise<void>;
}

const folderName = 'vectora-postgres-';
const silent = createLog('silent');

/** The one the product brings, on a free port of loopback, without fsync: what tests write need not last. */
export async function startBundled(): Promise<TestPostgres> {
  await clearLeftovers();
  return await start(await preparePrograms({ copyTo: path.join(tmpdir(), `${folderName}programs`) }));
}

/** An older one, from the PATH or from where Debian puts it. @returns why there is none, as a sentence */
export async function startOlder(): Promise<TestPostgres | string> {
  const programs = await findOlder();
  return programs === null
    ? 'no Postgres older than the one that comes with the product is installed here'
    : await start(programs);
}

const versionMin = 15;
const versionBundled = 18;

async function findOlder(): Promise<Programs | null> {
  const onPath = (process.env['PATH'] ?? '').split(path.delimiter);
  const base = '/usr/lib/postgresql';
  const ofDebian = existsSync(base)
    ? readdirSync(base).map((version) => path.join(base, version, 'bin'))
    : [];
  const found: Programs[] = [];
  for (const folder of [...ofDebian, ...onPath]) {
    if (!existsSync(path.join(folder, 'initdb')) || !existsSync(path.join(folder, 'postgres'))) continue;
    found.push(await programsIn(folder));
  }
  const fitting = found.filter(({ version }) => version >= versionMin && version < versionBundled);
  return fitting.sort((a, b) => a.version - b.version)[0] ?? null;
}

async function start(programs: Programs): Promise<TestPostgres> {
  const folder = await makeFolder();
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const cluster = clusterIn(folder);
    const account = await chooseAccount({ program: programs.postgres, folder, cluster });
    await ensureCluster({ programs, account, folder, settings: throwaway });
    const port = await lastingPort();
    const launch = () =>
      startPostmaster({
        programs,
        account,
        cluster,
        settings: {
          listen_addresses: '127.0.0.1',
          port,
          unix_socket_directories: '',
          fsync: 'off',
          full_page_writes: 'off',
          wal_level: 'minimal',
          max_wal_senders: 0,
          autovacuum: 'off',
          max_connections: 200,
        },
        socketFolder: null,
        log: silent,
      });
    let server = await launch();
    return {
      url: `postgres://postgres@127.0.0.1:${port}/postgres`,
      down: () => server.stop(),
      async up() {
        server = await launch();
      },
      async stop() {
        await server.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Below those that outgoing connections get: while the server is down, none of them takes its port. */
async function lastingPort(): Promise<number> {
  for (;;) {
    const port = await freePort(randomInt(10_000, 32_000)).catch(() => null);
    if (port !== null) return port;
  }
}

/** For what is thrown away with the run. */
export const makeFolder = () => mkdtemp(path.join(tmpdir(), `${folderName}${process.pid}-`));

/** Arguments of initdb that every version knows. */
const throwaway = ['--auth=trust', '--locale=C', '--no-sync'];

/** A run that was killed leaves its folder; its Postgres is ended by the guard. */
async function clearLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const starter = new RegExp(`^${folderName}(\\d+)-`).exec(name)?.[1];
    if (!starter || isAlive(Number(starter))) continue;
    await rm(path.join(tmpdir(), name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
