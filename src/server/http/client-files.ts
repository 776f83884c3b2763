import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';

/**
 * The built console. Files are known by listing the folder once: a path that is not in the list does not exist, whatever dots and
 * slashes it is made of.
 */
export interface ClientFile {
  bytes: Uint8Array<ArrayBuffer>;
  /** Absent where compressing gains nothing. */
  gzipped: Uint8Array<ArrayBuffer> | null;
  type: string;
  /** Its name holds a hash of its content. */
  isImmutable: boolean;
}

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

const compress = promisify(gzip);

export interface ClientFiles {
  /** @param urlPath the decoded path, `/assets/x.js` */
  find(urlPath: string): Promise<ClientFile | null>;
}

export function createClientFiles(folder: string): ClientFiles {
  let listing: Promise<Set<string>> | null = null;
  const files = new Map<string, Promise<ClientFile>>();

  async function list(): Promise<Set<string>> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
    return new Set(names.map((name) => `/${name.split(path.sep).join('/')}`));
  }

  async function load(urlPath: string): Promise<ClientFile> {
    const bytes = new Uint8Array(await readFile(path.join(folder, urlPath)));
    const gzipped = new Uint8Array(await compress(bytes, { level: constants.Z_BEST_COMPRESSION }));
    return {
      bytes,
      gzipped: gzipped.byteLength < bytes.byteLength * 0.9 ? gzipped : null,
      type: types[path.extname(urlPath)] ?? 'application/octet-stream',
      isImmutable: urlPath.startsWith('/assets/'),
    };
  }

  return {
    async find(urlPath) {
      listing ??= list();
      if (!(await listing).has(urlPath)) return null;
      const file = files.get(urlPath) ?? load(urlPath);
      files.set(urlPath, file);
      return await file;
    },
  };
}
