import { webcrypto } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** Reads files of a folder, each checked against the folder's `SHA256SUMS`. */
export interface CheckedFiles {
  /** @throws Error naming the file that is missing or damaged */
  read(name: string): Promise<Buffer>;
}

export async function openCheckedFiles(directory: string): Promise<CheckedFiles> {
  const sums = parseSums(await readFile(path.join(directory, 'SHA256SUMS'), 'utf8'));
  return {
    async read(name) {
      const file = path.join(directory, name);
      const bytes = await readFile(file);
      // Away from this thread: some have megabytes.
      const sum = Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes));
      if (sum.toString('hex') !== sums.get(name)) {
        throw new Error(`${file} is damaged: its checksum is not the one in SHA256SUMS`);
      }
      return bytes;
    },
  };
}

function parseSums(text: string): Map<string, string> {
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
}
