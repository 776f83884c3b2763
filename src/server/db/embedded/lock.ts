import { link, mkdir, readdir, readFile, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Log } from '#server/log.ts';
import { RecordNotOpened } from '../record-error.ts';
import { currentProcess, isRunning } from './process-identity.ts';

/**
 * One process at a time on a data directory: a second server would not see what the first one writes. Postgres
 * has a lock of its own; this one comes before it and names the holder for people.
 *
 * The lock is a file with a growing number, `lock/00000001`, `lock/00000002`, …, made whole and exclusively by a hard link. The highest
 * number is the lock, and it is never removed, so that of two processes that find it stale only one can make the next: nobody deletes
 * what another has just taken, which is how a lock of one name fails.
 */
const holderSchema = z.object({
  pid: z.number().int(),
  startedAt: z.string().nullable(),
  place: z.string(),
  /** What its owner leaves behind when it is killed; whoever takes over removes it. */
  socketFolder: z.string().nullable(),
  isReleased: z.boolean(),
});
type Holder = z.infer<typeof holderSchema>;

export interface DataLock {
  release(): Promise<void>;
}

export interface LockOptions {
  dataDir: string;
  socketFolder: string | null;
  log: Log;
  /** How long a holder may take to be gone: a killed process is still there for a moment. */
  waitMs?: number | undefined;
  /** How long the lock of a process that cannot be looked up from here (another container) must stay untouched to count as stale. */
  foreignSilenceMs?: number;
}

const touchMs = 2_000;
const lookAgainMs = 50;
const attemptsMax = 20;

/** @throws RecordNotOpened naming the process that holds the directory */
export async function lockDataDir(options: LockOptions): Promise<DataLock> {
  const { dataDir, socketFolder } = options;
  const folder = path.join(dataDir, 'lock');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const self: Holder = { ...(await currentProcess()), socketFolder, isReleased: false };
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const own = (await whenFree(folder, self, options)) + 1;
    if (!(await makeWhole(folder, own, self))) continue;
    // Numbers below the highest are cleared away, so an old one could be made again by a process that looked long ago.
    if ((await highest(folder)) !== own) {
      await rm(numbered(folder, own), { force: true });
      continue;
    }
    await clearBelow(folder, own);
    return hold(folder, own, self);
  }
  throw new RecordNotOpened(
    `The data directory ${dataDir} is being taken by other processes at this moment.`,
  );
}

/** Waits for the holder to be gone. Answers the highest number, whose lock holds no more. */
async function whenFree(folder: string, self: Holder, options: LockOptions): Promise<number> {
  const { dataDir, log, waitMs = 10_000, foreignSilenceMs = 10_000 } = options;
  const end = performance.now() + waitMs;
  for (let looks = 0; ; looks += 1) {
    const last = await highest(folder);
    const holder = last > 0 ? await readHolder(folder, last) : null;
    if (!holder) return last;
    if (!(await isHeld(holder, self, { file: numbered(folder, last), foreignSilenceMs }))) return last;
    const isElsewhere = holder.place !== self.place;
    if (isElsewhere || holder.pid === self.pid || performance.now() >= end) {
      throw new RecordNotOpened(heldBy(dataDir, holder, self));
    }
    if (looks === 0) log.info('waiting for the process that holds the data directory', { pid: holder.pid });
    await pause(lookAgainMs);
  }
}

function heldBy(dataDir: string, holder: Holder, self: Holder): string {
  const where = holder.place === self.place ? '' : ` on ${holder.place.split(' ')[0]}`;
  return `The data directory ${dataDir} is in use by process ${holder.pid}${where}. Stop that process, or give this one a DATA_DIR of its own.`;
}

function numbered(folder: string, number: number): string {
  return path.join(folder, String(number).padStart(8, '0'));
}

async function numbers(folder: string): Promise<number[]> {
  return (await readdir(folder)).filter((name) => /^\d{8,15}$/.test(name)).map(Number);
}

async function highest(folder: string): Promise<number> {
  return Math.max(0, ...(await numbers(folder)));
}

/**
 * Null for a lock that is gone, or whose contents are none: links appear whole, so these are being written over by a release, or were
 * lost by the disk. A holder that cannot be read for another reason may be alive.
 * @throws RecordNotOpened then
 */
async function readHolder(folder: string, number: number): Promise<Holder | null> {
  const file = numbered(folder, number);
  const text = await unlessGone(file, readFile(file, 'utf8'));
  if (text === null) return null;
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** @throws RecordNotOpened when the file is there and cannot be read */
async function unlessGone<T>(file: string, reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    const reason = error instanceof Error ? error.message : String(error);
    throw new RecordNotOpened(
      `Whether another process uses the data directory cannot be told, because its lock ${file} cannot be read: ${reason}. ` +
        'Make the file readable and start again; nothing was changed.',
      { cause: error },
    );
  }
}

async function isHeld(
  holder: Holder,
  self: Holder,
  { file, foreignSilenceMs }: { file: string; foreignSilenceMs: number },
): Promise<boolean> {
  if (holder.isReleased) return false;
  if (holder.place === self.place) return await isRunning(holder);
  // Clocks of two machines are not compared: the holder touches its lock, so a while without a touch is enough.
  const before = await touchedAt(file);
  await pause(foreignSilenceMs);
  return (await touchedAt(file)) !== before;
}

async function touchedAt(file: string): Promise<number | null> {
  const found = await unlessGone(file, stat(file));
  return found?.mtimeMs ?? null;
}

/** False when the number is taken. */
async function makeWhole(folder: string, number: number, holder: Holder): Promise<boolean> {
  const half = await writeHalf(folder, holder);
  try {
    await link(half, numbered(folder, number));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(half, { force: true });
  }
}

async function writeHalf(folder: string, holder: Holder): Promise<string> {
  const half = path.join(folder, `half-${process.pid}-${Math.random().toString(36).slice(2)}`);
  await writeFile(half, JSON.stringify(holder), { mode: 0o600, flag: 'wx' });
  return half;
}

async function clearBelow(folder: string, own: number): Promise<void> {
  for (const number of (await numbers(folder)).filter((other) => other < own)) {
    // It holds no more: one that cannot be read leaves its socket folder behind, and nothing else.
    const before = await readHolder(folder, number).catch(() => null);
    if (before !== null) await clearSocketFolder(before.socketFolder);
    await rm(numbered(folder, number), { force: true });
  }
}

/** A file is data somebody may have changed: only what is named as our socket folders are is ever removed. */
async function clearSocketFolder(folder: string | null): Promise<void> {
  if (folder === null || !/^vectora-[A-Za-z0-9]+$/.test(path.basename(folder))) return;
  for (const name of await readdir(folder).catch(() => [])) {
    if (name.startsWith('.s.PGSQL.')) await rm(path.join(folder, name), { force: true });
  }
  // Gone already, or holding something that is not ours: either way it stays as it is.
  await rmdir(folder).catch(() => undefined);
}

function hold(folder: string, own: number, self: Holder): DataLock {
  const file = numbered(folder, own);
  const timer = setInterval(() => {
    const now = new Date();
    // A touch that fails harms nobody here; another container would only wait in vain for it.
    utimes(file, now, now).catch(() => undefined);
  }, touchMs);
  timer.unref();
  return {
    async release() {
      clearInterval(timer);
      // Written over, not removed: the highest number must stay.
      await writeFile(file, JSON.stringify({ ...self, isReleased: true }), { mode: 0o600 });
    },
  };
}
