import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const folderName = 'vectora-postgres-';

/**
 * A real Postgres for tests, thrown away afterwards: a free port on loopback, no password, no fsync.
 * Its programs come from the PATH or where systems put them, else from the system's package manager.
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 * @throws Error with one sentence when none can be had
 */
export async function startPostgres() {
  await clearLeftovers();
  const programs = (await findPrograms()) ?? (await installPrograms());
  const folder = await mkdtemp(path.join(tmpdir(), `${folderName}${process.pid}-`));
  const user = await chooseUser(folder);
  const data = path.join(folder, 'data');
  const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  try {
    await run(...user.command(path.join(programs, 'initdb'), initdb), user.options);
    const port = await freePort();
    const server = await launch(user, programs, data, port);
    return {
      url: `postgres://postgres@127.0.0.1:${port}/postgres`,
      stop: async () => {
        server.removeAllListeners('exit');
        server.kill('SIGINT');
        if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function findPrograms() {
  const asked = await run('pg_config', ['--bindir'])
    .then(({ stdout }) => [stdout.trim()])
    .catch(() => []);
  const onPath = (process.env.PATH ?? '').split(path.delimiter);
  const base = '/usr/lib/postgresql';
  const versions = existsSync(base) ? readdirSync(base).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...onPath, ...asked, ...versions.map((version) => path.join(base, version, 'bin'))];
  return folders.find(
    (folder) => existsSync(path.join(folder, 'initdb')) && existsSync(path.join(folder, 'postgres')),
  );
}

async function installPrograms() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Error(
      'no Postgres is installed and none can be installed without being root on a Debian-like system',
    );
  }
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, timeout: 300_000 };
  try {
    await run('apt-get', ['update', '-qq'], options);
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'postgresql'], options);
  } catch (error) {
    throw new Error(`no Postgres is installed and apt-get could not install it: ${error.message}`);
  }
  const found = await findPrograms();
  if (!found) throw new Error('apt-get installed a Postgres, but its programs are not found');
  return found;
}

/** Postgres refuses to run as root: it then runs as another user, or where none can be become, in a namespace that calls root another. */
async function chooseUser(folder) {
  const plain = { command: (program, args) => [program, args], options: { cwd: folder } };
  if (process.getuid?.() !== 0) return plain;
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = await userIds(name);
    if (uid === undefined) continue;
    try {
      await chown(folder, uid, gid);
      const options = { cwd: folder, uid, gid };
      await run('true', [], options);
      return { ...plain, options };
    } catch {
      // A container may map no other user; the next way is tried.
      await chown(folder, 0, 0);
    }
  }
  const inside = ['--user', '--map-user=65534', '--map-group=65534', '--'];
  return { ...plain, command: (program, args) => ['unshare', [...inside, program, ...args]] };
}

async function userIds(name) {
  const users = await readFile('/etc/passwd', 'utf8');
  const line = users.split('\n').find((entry) => entry.startsWith(`${name}:`));
  return line ? line.split(':').slice(2, 4).map(Number) : [];
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

async function launch(user, programs, data, port) {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    fsync: 'off',
    max_connections: 200,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [program, rest] = user.command(path.join(programs, 'postgres'), ['-D', data, ...args]);
  const server = spawn(program, rest, { ...user.options, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`Postgres did not start: ${said.trim()}`)));
    server.stderr.on('data', (text) => {
      // Afterwards only what tests provoke is said; it is read so that the pipe never fills, and dropped.
      if (said.length < 100_000) said += text;
      if (said.includes('ready to accept connections')) resolve();
    });
  });
  return server;
}

/** A run that was killed leaves its server; it is stopped by the next one, once the process that started it is gone. */
async function clearLeftovers() {
  for (const name of await readdir(tmpdir())) {
    const starter = new RegExp(`^${folderName}(\\d+)-`).exec(name)?.[1];
    if (!starter || isAlive(Number(starter))) continue;
    const folder = path.join(tmpdir(), name);
    const file = await readFile(path.join(folder, 'data/postmaster.pid'), 'utf8').catch(() => '');
    const [pid, data] = file.split('\n');
    if (data === path.join(folder, 'data') && isAlive(Number(pid))) process.kill(Number(pid), 'SIGINT');
    await rm(folder, { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
