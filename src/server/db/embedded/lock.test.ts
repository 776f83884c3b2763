import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { utimesSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLog } from '#server/log.ts';
import { RecordNotOpened } from '../record-error.ts';
import { type LockOptions, lockDataDir } from './lock.ts';
import { currentProcess } from './process-identity.ts';

let dataDir: string;
let bundle: string;

beforeAll(async () => {
  bundle = path.join(await mkdtemp(path.join(tmpdir(), 'vectora-locker-')), 'locker.mjs');
  await build({
    stdin: {
      contents: `import { createLog } from '#server/log.ts';
        import { lockDataDir } from './lock.ts';
        process.once('message', async (dataDir) => {
          const outcome = await lockDataDir({ dataDir, socketFolder: '/nowhere', log: createLog('silent'), waitMs: 0 }).then(() => 'held', (error) => error.message);
          process.send(outcome);
          setInterval(() => undefined, 1000);
        });
        process.send('ready');`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: bundle,
  });
});
afterAll(() => rm(path.dirname(bundle), { recursive: true, force: true }));

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'vectora-lock-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const log = createLog('silent');
const lock = (options: Partial<LockOptions> = {}) =>
  lockDataDir({ dataDir, socketFolder: path.join(dataDir, 'vectora-own'), log, ...options });

/** In the place of whatever lock was there. */
async function plantHolder(holder: object): Promise<string> {
  await rm(path.join(dataDir, 'lock'), { recursive: true, force: true });
  await mkdir(path.join(dataDir, 'lock'), { recursive: true });
  const file = path.join(dataDir, 'lock/00000007');
  const own = await currentProcess();
  await writeFile(file, JSON.stringify({ ...own, socketFolder: '/nowhere', isReleased: false, ...holder }));
  return file;
}

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return child.pid ?? 0;
}

test('a second holder is refused by pid and directory; after a release the lock is free', async () => {
  const first = await lock();
  const second = lock();
  await expect(second).rejects.toThrow(RecordNotOpened);
  await expect(second).rejects.toThrow(`${dataDir} is in use by process ${process.pid}`);
  await first.release();
  const third = await lock();
  await third.release();
});

test('the lock of a dead process is taken over, and what it left behind is cleared', async () => {
  const left = path.join(dataDir, 'vectora-abc123');
  await mkdir(left);
  await writeFile(path.join(left, '.s.PGSQL.5432'), '');
  await plantHolder({ pid: await deadPid(), socketFolder: left });
  const held = await lock();
  expect(await readdir(path.join(dataDir, 'lock'))).toEqual(['00000008']);
  expect(await readdir(dataDir)).toEqual(['lock']);
  await held.release();
});

test('a folder that is not named as ours is never cleared', async () => {
  const other = path.join(dataDir, 'precious');
  await mkdir(other);
  await writeFile(path.join(other, 'db'), 'x');
  await plantHolder({ pid: await deadPid(), socketFolder: other });
  await (await lock()).release();
  expect(await readFile(path.join(other, 'db'), 'utf8')).toBe('x');
});

test('in a folder that is named as ours only our sockets are cleared', async () => {
  const left = path.join(dataDir, 'vectora-abc123');
  await mkdir(left);
  for (const name of ['.s.PGSQL.5432', 'notes']) await writeFile(path.join(left, name), '');
  await plantHolder({ pid: await deadPid(), socketFolder: left });
  await (await lock()).release();
  expect(await readdir(left)).toEqual(['notes']);
});

test('it is touched again and again while it is held', async () => {
  const held = await lock();
  const file = path.join(dataDir, 'lock/00000001');
  for (let times = 0; times < 2; times++) {
    await utimes(file, 0, 0);
    await expect.poll(async () => (await stat(file)).mtimeMs).toBeGreaterThan(0);
  }
  await held.release();
});

test('a pid that was used again by another process does not hold the lock', async () => {
  await plantHolder({ startedAt: 'long before' });
  await (await lock()).release();
});

test.each(['{"pid": 1', ''])('a lock whose contents are lost (%j) is taken over', async (contents) => {
  const file = await plantHolder({});
  await writeFile(file, contents);
  await (await lock()).release();
});

test('a lock that is there and cannot be read does not count as free', async () => {
  // A folder in the place of the file fails for root too, which no permission does.
  const file = path.join(dataDir, 'lock/00000007');
  await mkdir(file, { recursive: true });
  const refused = lock();
  await expect(refused).rejects.toThrow(RecordNotOpened);
  await expect(refused).rejects.toThrow(`its lock ${file} cannot be read: EISDIR`);
  expect(await readdir(path.join(dataDir, 'lock'))).toEqual(['00000007']);
});

test('the lock of another machine or container holds while it is touched, and no longer', async () => {
  const file = await plantHolder({ place: 'elsewhere', pid: 1 });
  // At once, so that a touch that was due is done before the silence ends, however late both are.
  const touching = setInterval(() => utimesSync(file, new Date(), new Date()), 20);
  await expect(lock({ foreignSilenceMs: 1_000 })).rejects.toThrow('process 1 on elsewhere');
  clearInterval(touching);
  await (await lock({ foreignSilenceMs: 300 })).release();
});

test('of several processes that find a stale lock exactly one takes it', async () => {
  await plantHolder({ pid: await deadPid() });
  const racers = Array.from({ length: 6 }, () => fork(bundle, { execArgv: [] }));
  try {
    await Promise.all(racers.map((racer) => once(racer, 'message')));
    const outcomes = racers.map((racer) => once(racer, 'message'));
    for (const racer of racers) racer.send(dataDir);
    const said = (await Promise.all(outcomes)).map(([message]) => String(message));
    expect(said.filter((message) => message === 'held')).toHaveLength(1);
    const holder = racers[said.indexOf('held')]?.pid;
    for (const message of said.filter((other) => other !== 'held')) {
      expect(message).toContain(`in use by process ${holder}`);
    }
    await expect(lock({ waitMs: 0 })).rejects.toThrow(`process ${holder}`);
  } finally {
    for (const racer of racers) racer.kill('SIGKILL');
  }
});

test('a holder that is just being killed is waited for; a dead process that nobody has waited for counts as gone', async () => {
  const holder = spawn('sleep', ['60']);
  await plantHolder({ pid: holder.pid, startedAt: null });
  const lines: string[] = [];
  const waiting = lock({ log: createLog('info', (line) => lines.push(line)) });
  await expect.poll(() => lines.join('\n')).toContain('waiting for the process that holds');
  expect(await readdir(path.join(dataDir, 'lock'))).toEqual(['00000007']);
  holder.kill('SIGKILL');
  await (await waiting).release();

  // `sleep` never asks how a child ended, so that it stays a zombie. A shell would: the child ends when its parent is none any more.
  const child = '(until [ "$(cat /proc/$$/comm)" = sleep ]; do :; done)';
  const shell = spawn('sh', ['-c', `${child} & echo $!; exec sleep 60`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const [said] = await once(shell.stdout, 'data');
    const zombie = Number(said);
    await expect.poll(() => readFile(`/proc/${zombie}/stat`, 'utf8')).toContain(') Z ');
    await plantHolder({ pid: zombie, startedAt: null });
    await (await lock({ waitMs: 0 })).release();
  } finally {
    shell.kill('SIGKILL');
  }
});
