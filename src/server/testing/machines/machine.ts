import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { socketFolderOf } from '../kill/postmasters.ts';
import { type ServerProcess, type SpawnOptions, startServer } from '../kill/server-process.ts';
import { makeClone } from './clone.ts';

export const isRoot = process.getuid?.() === 0;
export const nobody = 65_534;

function canRun(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false; // Not there, or not allowed: the tests that need it are skipped by name.
  }
}
export const hasSetpriv = isRoot && canRun('setpriv', '--reuid=65534', 'true');
export const hasNamespaces = canRun('unshare', '-rm', 'true');
/** With the libraries of a stranger's Node in a home of their own, another user could not even run Node. */
export const othersRunNode =
  isRoot && canRun('setpriv', '--reuid=65534', '--clear-groups', process.execPath, '--version');

/** Where the test that runs has what it needs, and the server that it has started. */
export const here = { folder: '', root: '', dataDir: '', running: null as ServerProcess | null };

/** A clone of the product and a folder for its data, anew for each test of the file that calls it. */
export function onFreshMachine(): void {
  beforeEach(async () => {
    here.folder = await mkdtemp(path.join(tmpdir(), 'vectora-machine-'));
    await chmod(here.folder, 0o755);
    here.root = path.join(here.folder, 'clone');
    here.dataDir = path.join(here.folder, 'data');
    await makeClone(here.root);
  });
  afterEach(async () => {
    await here.running?.stop();
    here.running = null;
    execFileSync('chmod', ['-R', 'u+w', here.folder]);
    await rm(here.folder, { recursive: true, force: true });
  });
}

interface Machine extends SpawnOptions {
  env?: Record<string, string>;
}

export const start = ({ env, ...options }: Machine = {}) =>
  startServer({ DATA_DIR: here.dataDir, STORAGE_RESERVE_MB: '0', ...env }, { root: here.root, ...options });

/** It starts, takes a write and stops. */
export async function expectToServe(machine?: Machine): Promise<void> {
  here.running = await start(machine);
  expect((await fetch(`${here.running.url}/ready`)).status).toBe(200);
  expect(await register(here.running)).toBe(201);
  expect(await here.running.stop()).toBe(0);
}

/** And then it starts again and knows what was written: for what a start can find otherwise than the one before left it. */
export async function expectToServeAgain(machine?: Machine): Promise<void> {
  await expectToServe(machine);
  here.running = await start(machine);
  expect(await register(here.running)).toBe(409);
}

async function register({ url }: ServerProcess): Promise<number> {
  const password = 'correct horse battery';
  const account = { email: 'a@example.com', username: 'a', password, confirmPassword: password };
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(account);
  return (await fetch(`${url}/api/auth/register`, { method: 'POST', headers, body })).status;
}

/** What it says instead of starting, which is one sentence or two and no stack. */
export async function refusal(machine?: Machine): Promise<string> {
  const said = await start(machine).then(
    async (server) => {
      here.running = server;
      return 'it serves';
    },
    (error: Error) => error.message,
  );
  expect(said).toContain('Vectora cannot start: ');
  expect(said).not.toContain('    at ');
  return said;
}

/** Who Postgres runs as, and with which capabilities. */
export async function postgresStatus(): Promise<{ uid: number; capabilities: string }> {
  const pid = Number.parseInt(
    await readFile(path.join(here.dataDir, 'postgres/data/postmaster.pid'), 'utf8'),
    10,
  );
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const field = (name: string) => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(status)?.[1] ?? '';
  return { uid: Number(field('Uid')), capabilities: field('CapPrm').replace(/^0+/, '') };
}

/** How Postgres answers a process of this user that asks for a session. */
export async function connectAs(uid: number): Promise<string> {
  const socket = path.join(await socketFolderOf(here.dataDir), '.s.PGSQL.5432');
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
export function as(uid: number): string[] {
  return ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
}

/** A PATH on which there is nothing but these programs. */
export async function pathWith(...names: string[]): Promise<string> {
  const bin = path.join(here.folder, 'bin');
  await mkdir(bin);
  for (const name of names) {
    await symlink(
      execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(),
      path.join(bin, name),
    );
  }
  return bin;
}
