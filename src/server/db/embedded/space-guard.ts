import { statfs } from 'node:fs/promises';
import { storageUnavailable } from '../record-error.ts';

export interface SpaceGuardOptions {
  folder: string;
  reserveBytes: number;
  clock: () => Date;
  freeBytes?: (folder: string) => Promise<number>;
}

const readAgainMs = 1000;

/**
 * Refuses writes before the disk is full: Postgres fails a statement that has no room for its rows, but ends when it has none for its
 * log, and nothing is read until it has started again. Free space is read at most once a second, by concurrent writes together.
 * @throws AppError UNAVAILABLE naming storage, from the returned function
 */
export function createSpaceGuard(options: SpaceGuardOptions): () => Promise<void> {
  const { folder, reserveBytes, clock, freeBytes = readFreeBytes } = options;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<number> = Promise.resolve(0);
  return async () => {
    const now = clock().getTime();
    // A clock that was set back counts as time passed.
    if (Math.abs(now - readAt) >= readAgainMs) {
      readAt = now;
      reading = freeBytes(folder);
    }
    let free: number;
    try {
      free = await reading;
    } catch (error) {
      readAt = Number.NEGATIVE_INFINITY;
      throw storageUnavailable(error);
    }
    if (free < reserveBytes) throw storageUnavailable();
  };
}

async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
