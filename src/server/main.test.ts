import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from './testing/databases.ts';
import { postmastersOn } from './testing/kill/postmasters.ts';

/** The built server as a process of its own: how it starts, what it says, how it stops. */
const root = path.resolve(import.meta.dirname, '../..');
const main = path.join(root, 'dist/server/main.js');

interface Started {
  child: ChildProcess;
  url: string;
  /** All it has printed so far, both streams. */
  output: () => string;
  exit: Promise<number | string>;
}

let database: FreshDatabase;
let dataDir: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  database = await freshDatabase('embedded');
  dataDir = database.settings.dataDir;
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await expect.poll(() => postmastersOn(dataDir)).toEqual([]);
  await database.cleanup();
});

function run(command: string, args: string[], env: Record<string, string> = {}) {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, DATABASE_URL: '', ...env },
  });
  children.push(child);
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const exit = once(child, 'exit').then(([code, signal]) => code ?? signal);
  return { child, output: () => output, exit };
}

async function start(command: string, args: string[], env?: Record<string, string>): Promise<Started> {
  const started = run(command, args, env);
  const findUrl = () => /running at (\S+)/.exec(started.output())?.[1];
  await expect.poll(findUrl, { timeout: 150_000 }).toBeDefined();
  return { ...started, url: findUrl() ?? '' };
}

const startMain = (env?: Record<string, string>) => start(process.execPath, [main], env);

async function register(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email: 'a@example.com',
      username: 'a',
      password: 'correct horse battery',
      confirmPassword: 'correct horse battery',
    }),
  });
  expect(answer.status).toBe(201);
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** A POST that the server has begun to handle, and whose body is still to come. */
async function beginRequest(url: string, headers: Record<string, string>): Promise<ClientRequest> {
  const begun = request(url, { method: 'POST', headers: { ...headers, expect: '100-continue' } });
  begun.flushHeaders();
  await once(begun, 'continue');
  return begun;
}

describe('starting', () => {
  test('says where it is and what to do next, and is ready then', async () => {
    const { url, output, child, exit } = await startMain();
    expect(output()).toContain(`${url}/register`);
    expect(output()).toContain('Ctrl-C');
    expect((await fetch(`${url}/ready`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
  });

  test('a second server on the same data is refused with a sentence that names the first', async () => {
    const first = await startMain();
    const second = run(process.execPath, [main]);
    expect(await second.exit).toBe(1);
    expect(second.output()).toMatch(/^Vectora cannot start: /m);
    expect(second.output()).toContain(String(first.child.pid));
    expect(second.output()).not.toContain('    at ');
  });

  test.each([
    ['a setting that cannot be', { PORT: 'ninety' }, 'PORT'],
    ['a database that is not there', { DATABASE_URL: 'postgres://127.0.0.1:1/none' }, 'DATABASE_URL'],
  ])('%s stops it with code 1 and a sentence', async (_, env, word) => {
    const { exit, output } = run(process.execPath, [main], env);
    expect(await exit).toBe(1);
    expect(output()).toMatch(/^Vectora cannot start: /m);
    expect(output()).toContain(word);
    expect(output()).not.toContain('    at ');
  });

  test.each<[string, (folder: string) => Promise<unknown>, string]>([
    ['an empty secret', (folder) => writeFile(path.join(folder, 'app-secret'), ''), 'app-secret'],
    ['a folder in the place of the secret', (folder) => mkdir(path.join(folder, 'app-secret')), 'app-secret'],
    [
      'a file in the place of the folder',
      (folder) => rm(folder, { recursive: true }).then(() => writeFile(folder, '')),
      'vectora-test-',
    ],
  ])('%s in DATA_DIR stops it with code 1 and a sentence, on either database', async (_, spoil, word) => {
    const { settings, cleanup } = await freshDatabase('bundled');
    try {
      await spoil(dataDir);
      for (const databaseUrl of [settings.databaseUrl ?? '', '']) {
        const { exit, output } = run(process.execPath, [main], { DATABASE_URL: databaseUrl });
        expect(await exit).toBe(1);
        expect(output()).toMatch(/^Vectora cannot start: /m);
        expect(output()).toContain(word);
        expect(output()).not.toContain('    at ');
        expect(output()).not.toContain('[object Object]');
      }
    } finally {
      await cleanup();
    }
  });

  test('others may write in DATA_DIR: the start says so', async () => {
    await chmod(dataDir, 0o777);
    const { output, child, exit } = await startMain();
    expect(output()).toContain('chmod go-w');
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
  });

  test('a port that is taken is named', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const address = holder.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { exit, output } = run(process.execPath, [main], { PORT: String(port) });
    expect(await exit).toBe(1);
    expect(output()).toContain(`Port ${port} is already in use`);
    holder.close();
  });
});

describe('stopping', () => {
  test('SIGTERM: what is being answered is answered, it is in the record, and the code is 0', async () => {
    const { url, child, exit, output } = await startMain();
    const cookie = await register(url);
    const headers = { cookie, origin: url, 'content-type': 'application/json' };
    const create = (name: string) =>
      fetch(`${url}/api/workspaces`, { method: 'POST', headers, body: JSON.stringify({ name }) });
    // A request whose body is still on its way when the signal comes.
    const slow = await beginRequest(`${url}/api/workspaces`, headers);
    const answering: Promise<IncomingMessage[]> = once(slow, 'response');
    slow.write('{"name":"Slow');
    expect((await create('Quick')).status).toBe(201);
    child.kill('SIGTERM');
    await expect.poll(output).toContain('stopping');
    slow.end(' but sure"}');
    const [answer] = await answering;
    expect(answer?.statusCode).toBe(201);
    answer?.resume();
    expect(await exit).toBe(0);
    await expect(create('Late')).rejects.toThrow();

    const again = await startMain();
    const list = await fetch(`${again.url}/api/workspaces`, { headers: { cookie } });
    const names = ((await list.json()) as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(["a's Workspace", 'Quick', 'Slow but sure']);
    again.child.kill('SIGINT');
    expect(await again.exit).toBe(0);
  });

  test('a second signal ends it at once, with code 1, also while it drains', async () => {
    const { url, child, exit, output } = await startMain({ DRAIN_SECONDS: '300' });
    const hanging = await beginRequest(`${url}/api/auth/login`, { 'content-type': 'application/json' });
    const cut = once(hanging, 'error');
    hanging.write('{');
    child.kill('SIGTERM');
    await expect.poll(output).toContain('draining');
    expect((await fetch(`${url}/ready`)).status).toBe(503);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await exit).toBe(1);
    await cut;
  });
});

test('npm start builds what is stale and leaves the server and its Postgres alone; npm alone is told to stop: all stop, cleanly', async () => {
  await rm(path.join(root, 'dist/.server-stamp'), { force: true });
  const { url, child, exit, output } = await start('npm', ['start']);
  expect(output()).toContain('Building the server');
  expect((await fetch(`${url}/ready`)).status).toBe(200);
  const [server, ...besides] = childrenOf(child.pid ?? 0);
  expect(server?.command).toContain('node scripts/start.mjs');
  expect(besides).toEqual([]);
  const [first, second, ...others] = childrenOf(server?.pid ?? 0).map(({ command }) => command);
  expect(first).toMatch(/postgres -D/);
  expect(second).toContain('vectora-guard');
  expect(others).toEqual([]);
  if (process.platform === 'linux') {
    expect(megabytesOf(server?.pid ?? 0)).toBeLessThan(200);
    // Else what imports have freed stays the process'.
    const environment = await readFile(`/proc/${server?.pid}/environ`, 'utf8');
    expect(environment.split('\0')).toContain('MALLOC_MMAP_THRESHOLD_=131072');
  }
  child.kill('SIGTERM');
  await exit;
  await expect.poll(() => output().includes('"stopped"')).toBe(true);
  await expect(fetch(`${url}/ready`)).rejects.toThrow();
});

function childrenOf(parent: number): { pid: number; command: string }[] {
  const list = execFileSync('ps', ['-eww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  const rows = list.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm);
  return [...rows]
    .filter(([, , ppid]) => Number(ppid) === parent)
    .map(([, pid, , command = '']) => ({ pid: Number(pid), command }));
}

/** What a process and all below it need in memory. */
function megabytesOf(pid: number): number {
  const args = ['scripts/measure-memory.mjs', String(pid)];
  const report = execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  return Number(/([\d.]+) MB {2}together/.exec(report)?.[1]);
}
