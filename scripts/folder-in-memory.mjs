// Where tests keep what they throw away. Files are made and removed by the ten thousand there: on a disk that took a sixth of their processor time.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';

const memory = '/dev/shm';
const prefix = 'vectora-tests-';
/** Databases and data folders of tests that run at once, several times over. */
const bytesMin = 6 * 1024 ** 3;

/** A new folder whose files are kept in memory; null where there is no room for it, or programs may not be run there. */
export async function makeFolderInMemory() {
  if (!existsSync(memory)) return null;
  await removeLeftovers();
  const { bavail, bsize } = await statfs(memory);
  if (Math.min(bavail * bsize, process.availableMemory()) < bytesMin) return null;
  const folder = await mkdtemp(path.join(memory, `${prefix}${process.pid}-`)).catch(() => null);
  if (folder === null) return null;
  // Some tests start servers under other accounts.
  await chmod(folder, 0o755);
  if (await runsPrograms(folder)) return folder;
  await rm(folder, { recursive: true });
  return null;
}

async function runsPrograms(folder) {
  const program = path.join(folder, 'program');
  await writeFile(program, '#!/bin/sh\n', { mode: 0o755 });
  try {
    execFileSync(program);
    return true;
  } catch {
    return false; // As containers mount it.
  } finally {
    await rm(program);
  }
}

/** A run that was killed leaves its folder. */
async function removeLeftovers() {
  for (const name of await readdir(memory)) {
    const starter = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
    if (starter && !existsSync(`/proc/${starter}`))
      await rm(path.join(memory, name), { recursive: true, force: true });
  }
}
