import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { RecordNotOpened } from './record-error.ts';

/** Lies beside an embedded database whose record goes on elsewhere: what was written here would be missing there. */
const markIn = (dataDir: string) => path.join(dataDir, 'moved');

/** `to`: where the record goes on, for people; no password. */
export async function noteMoved(dataDir: string, to: string): Promise<void> {
  await writeFile(markIn(dataDir), `${to}\n`);
}

/** It is this one again. */
export async function forgetMoved(dataDir: string): Promise<void> {
  await rm(markIn(dataDir), { force: true });
}

/** @throws RecordNotOpened */
export async function refuseMoved(dataDir: string): Promise<void> {
  const to = await readFile(markIn(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (to === null) return;
  throw new RecordNotOpened(
    `The record of the data directory ${dataDir} was moved to ${to.trim()}: set DATABASE_URL and SEARCH_ENGINE to go on there. To go on here, without what was written there since, remove ${markIn(dataDir)} first; nothing was changed.`,
  );
}
