import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { RecordNotOpened } from './record-error.ts';

/** Lies beside an embedded database whose record goes on elsewhere: what was written here would be missing there. */
const markIn = (dataDir: string) => path.join(dataDir, 'moved');

/** `to`: where the record goes on, for people; no password. */
export async function noteMoved(dataDir: string, to: string): Promise<void> {
  const half = `${markIn(dataDir)}.half`;
  await writeFile(half, `${to}\n`, { flush: true });
  await rename(half, markIn(dataDir));
}

/** It is this one again. */
export async function forgetMoved(dataDir: string): Promise<void> {
  await rm(markIn(dataDir), { force: true });
}

/** Where it goes on; null: here. */
export async function movedTo(dataDir: string): Promise<string | null> {
  return await readFile(markIn(dataDir), 'utf8').then(
    (text) => text.trim(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    },
  );
}

/** `unlessTo`: it may go on there. @throws RecordNotOpened */
export async function refuseMoved(dataDir: string, unlessTo?: string): Promise<void> {
  const to = await movedTo(dataDir);
  if (to === null || to === unlessTo) return;
  throw new RecordNotOpened(
    `The record of the data directory ${dataDir} was moved to ${to}: set DATABASE_URL, SEARCH_ENGINE=opensearch and OPENSEARCH_URL to go on there. To go on here, without what was written there since, remove ${markIn(dataDir)} first; nothing was changed.`,
  );
}
