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
  const listings = new Map<string, Promise<Set<string>>>();
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
      const names = await remember(listings, folder, list);
      return names.has(urlPath) ? await remember(files, urlPath, () => load(urlPath)) : null;
    },
  };
}

/** A failure (too many open files, a build under way) is forgotten, so that the next request tries again. */
async function remember<T>(known: Map<string, Promise<T>>, key: string, load: () => Promise<T>): Promise<T> {
  const found = known.get(key) ?? load();
  known.set(key, found);
  try {
    return await found;
  } catch (error) {
    if (known.get(key) === found) known.delete(key);
    throw error;
  }
}
