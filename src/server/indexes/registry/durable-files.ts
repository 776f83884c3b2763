import { type FileHandle, open } from 'node:fs/promises';

const sliceBytes = 1024 * 1024;

/** A new file with these bytes, on the disk when this is over; its name is once its folder is flushed. */
export async function writeFlushed(path: string, parts: readonly Uint8Array[]): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for (const part of parts) {
      for (let from = 0; from < part.length; from += sliceBytes)
        await writeWhole(file, part.subarray(from, from + sliceBytes));
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Its entries are on the disk when this is over. */
export async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

async function writeWhole(file: FileHandle, bytes: Uint8Array): Promise<void> {
  let written = 0;
  while (written < bytes.length) written += (await file.write(bytes, written)).bytesWritten;
}
