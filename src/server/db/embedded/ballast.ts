import { open, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { storageUnavailable } from '../record-error.ts';

/**
 * Space that is kept on the disk for the day it is full. Postgres ends when it cannot write its log, and needs room for a part of the log
 * before it starts again: without it, nothing could be read until somebody made room. Writes are refused until the space can be kept again.
 */
export interface Ballast {
  /** Gives the space to Postgres. False when it was given already. */
  release(): Promise<boolean>;
  /** @throws AppError UNAVAILABLE naming storage while the space is given away, or cannot be kept again for whatever reason */
  assertKept(): Promise<void>;
}

export interface BallastOptions {
  file: string;
  bytes: number;
  clock: () => Date;
}

const readAgainMs = 1_000;

/** Keeps the space at once, if there is room for it. */
export async function keepBallast({ file, bytes, clock }: BallastOptions): Promise<Ballast> {
  let isKept = await isWhole(file, bytes);
  let triedAt = Number.NEGATIVE_INFINITY;
  let trying: Promise<void> = keep();

  async function keep(): Promise<void> {
    if (!isKept) isKept = (await hasRoom(file, bytes)) && (await write(file, bytes));
  }

  await trying;
  return {
    async release() {
      // Whoever asked for that attempt was told how it ended.
      await trying.catch(() => undefined);
      const wasKept = isKept;
      isKept = false;
      await rm(file, { force: true });
      return wasKept;
    },
    async assertKept() {
      if (isKept) return;
      const now = clock().getTime();
      if (Math.abs(now - triedAt) >= readAgainMs) {
        triedAt = now;
        trying = keep();
      }
      try {
        await trying;
      } catch (error) {
        throw storageUnavailable(error);
      }
      if (!isKept) throw storageUnavailable();
    },
  };
}

async function isWhole(file: string, bytes: number): Promise<boolean> {
  return await stat(file).then(
    ({ size }) => size === bytes,
    () => false,
  );
}

/** As much again must be left besides: the space is for Postgres, and is not taken from it. */
async function hasRoom(file: string, bytes: number): Promise<boolean> {
  await rm(file, { force: true });
  const { bavail, bsize } = await statfs(path.dirname(file));
  return bavail * bsize >= 2 * bytes;
}

/** Written out: a file without contents takes no space. */
async function write(file: string, bytes: number): Promise<boolean> {
  const handle = await open(file, 'w', 0o600);
  try {
    const block = Buffer.alloc(2 ** 20);
    for (let written = 0; written < bytes; written += block.length) await handle.writeFile(block);
    return true;
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    await rm(file, { force: true });
    return false;
  } finally {
    await handle.close();
  }
}

/** The code is Node's, the words are Postgres'. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isFull = 'code' in error && ['ENOSPC', 'EDQUOT'].includes(String(error.code));
  return isFull || error.message.includes('No space left on device');
}
