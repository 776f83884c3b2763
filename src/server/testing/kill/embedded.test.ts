import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../databases.ts';
import {
  clusterOf,
  findGuard,
  killGuard,
  mostPostmastersOn,
  notedPostmaster,
  postmastersOn,
  socketFolderOf,
} from './postmasters.ts';
import { type ServerProcess, spawnServer, startServer } from './server-process.ts';

/** The server and its Postgres as processes: who ends whom, and who can reach what. */
let database: FreshDatabase;
let dataDir: string;
let running: ServerProcess | null = null;
const others: number[] = [];

beforeEach(async () => {
  database = await freshDatabase('embedded');
  dataDir = database.settings.dataDir;
});
afterEach(async () => {
  await running?.stop();
  running = null;
  for (const pid of others.splice(0)) process.kill(pid, 'SIGKILL');
  await expect.poll(() => postmastersOn(dataDir)).toEqual([]);
  await database.cleanup();
});

const env = () => ({ DATA_DIR: dataDir, STORAGE_RESERVE_MB: '0' });
const start = async () => {
  running = await startServer(env());
  return running;
};
const isThere = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );
/**
 * Five seconds are promised, of which the guard takes 3.6 s where Postgres heeds no signal but the last. A machine of many times its load stretches
 * each of its looks; without a guard Postgres stays for ever.
 */
const goneWithinMs = 30_000;
const whenGone = () => expect.poll(() => postmastersOn(dataDir), { timeout: goneWithinMs }).toEqual([]);

test('killed, it leaves neither a Postgres nor a socket behind', async () => {
  const { kill } = await start();
  const socketFolder = await socketFolderOf(dataDir);
  expect(await isThere(socketFolder)).toBe(true);
  expect(postmastersOn(dataDir)).toHaveLength(1);
  await kill();
  await whenGone();
  await expect.poll(() => isThere(socketFolder)).toBe(false);
});

test('stopped, it leaves no process and no socket', async () => {
  const { stop } = await start();
  const postmaster = await notedPostmaster(dataDir);
  expect(findGuard(postmaster)).not.toBeNull();
  const socketFolder = await socketFolderOf(dataDir);
  expect(await stop()).toBe(0);
  expect(postmastersOn(dataDir)).toEqual([]);
  expect(await isThere(socketFolder)).toBe(false);
  await expect.poll(() => findGuard(postmaster)).toBeNull();
});

test('a start within milliseconds of the kill serves', async () => {
  let server = await start();
  for (let round = 0; round < 4; round += 1) {
    // Not waited for: the dead process is still there when the next one looks.
    process.kill(server.pid, 'SIGKILL');
    server = await start();
    expect(postmastersOn(dataDir)).toEqual([await notedPostmaster(dataDir)]);
  }
});

test('a Postgres that nobody ended is ended by the next start; there are never two', async () => {
  const { kill } = await start();
  const left = await notedPostmaster(dataDir);
  killGuard(left);
  await kill();
  expect(postmastersOn(dataDir)).toEqual([left]);
  const starting = start();
  let isStarting = true;
  const most = mostPostmastersOn(dataDir, () => isStarting);
  await starting;
  isStarting = false;
  expect(await most).toBe(1);
  const next = await notedPostmaster(dataDir);
  expect(next).not.toBe(left);
  expect(postmastersOn(dataDir)).toEqual([next]);
});

test('a number in postmaster.pid that another process has by now neither stops the start nor harms that process', async () => {
  const { kill } = await start();
  process.kill(await notedPostmaster(dataDir), 'SIGSTOP');
  const file = path.join(clusterOf(dataDir), 'postmaster.pid');
  const lines = (await readFile(file, 'utf8')).split('\n');
  await kill();
  await whenGone();
  const other = spawn('sleep', ['600']);
  others.push(other.pid ?? 0);
  await writeFile(file, [other.pid, ...lines.slice(1)].join('\n'));
  await start();
  expect(other.exitCode).toBeNull();
  expect(other.signalCode).toBeNull();
});

test('killed while it makes its cluster, the next start makes it whole', async () => {
  const folder = path.join(dataDir, 'postgres');
  const found = async () => (await readdir(folder).catch(() => [])).join();
  const isMaking = async () => {
    await rm(folder, { recursive: true, force: true, maxRetries: 50 });
    const child = spawnServer(env());
    await expect.poll(found, { interval: 5 }).toMatch(/half-|data/);
    child.kill('SIGKILL');
    await once(child, 'exit');
    return (await found()).includes('half-');
  };
  // On a busy machine the look may come too late.
  await expect.poll(isMaking).toBe(true);
  await start();
  expect(await found()).toMatch(/^(ballast,)?data$/);
});

test('no TCP port is opened, and no other account of the machine can connect', async () => {
  await start();
  const postmaster = await notedPostmaster(dataDir);
  const folder = await socketFolderOf(dataDir);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  if (process.platform === 'linux') expect(await listeningOn(postmaster)).toEqual(['unix']);
  const connect = `require('net').connect(${JSON.stringify(path.join(folder, '.s.PGSQL.5432'))})
    .on('connect', () => console.log('connected')).on('error', (error) => console.log(error.code))
    .setTimeout(60000, () => process.exit())`;
  const tryAs = async (uid?: number) => {
    const options = uid === undefined ? {} : { uid, gid: uid };
    const child = spawn(process.execPath, ['-e', connect], { cwd: '/', ...options });
    others.push(child.pid ?? 0);
    const [said] = await once(child.stdout, 'data');
    others.pop();
    child.kill('SIGKILL');
    return String(said).trim();
  };
  expect(await tryAs()).toBe('connected');
  // The account that Postgres itself runs as may be that of other services too.
  if (process.getuid?.() === 0) for (const uid of [65_534, 12_345]) expect(await tryAs(uid)).toBe('EACCES');
});

/** The kinds of sockets on which a process takes connections. */
async function listeningOn(pid: number): Promise<string[]> {
  const fds = await readdir(`/proc/${pid}/fd`);
  const targets = await Promise.all(fds.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
  const inodes = targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []);
  const kinds: string[] = [];
  for (const kind of ['tcp', 'tcp6', 'udp', 'udp6']) {
    const table = await readFile(`/proc/${pid}/net/${kind}`, 'utf8').catch(() => '');
    const known = table.split('\n').map((line) => line.trim().split(/\s+/)[9]);
    if (inodes.some((inode) => known.includes(inode))) kinds.push(kind);
  }
  const unix = await readFile(`/proc/${pid}/net/unix`, 'utf8');
  if (inodes.some((inode) => unix.includes(` ${inode} `))) kinds.push('unix');
  return kinds;
}
