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
  /** The same packed, the smallest first; none where packing gains nothing. */
  packed: PackedFile[];
  type: string;
  /** Its name holds a hash of its content. */
  isImmutable: boolean;
}

interface PackedFile {
  encoding: 'br' | 'gzip';
  bytes: Uint8Array<ArrayBuffer>;
}

/** Where the build has put a file that it packed with Brotli: beside the file. */
const brotliEnding = '.br';

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

  const read = async (urlPath: string) => new Uint8Array(await readFile(path.join(folder, urlPath)));

  async function load(urlPath: string, names: Set<string>): Promise<ClientFile> {
    const bytes = await read(urlPath);
    const gzipped = new Uint8Array(await compress(bytes, { level: constants.Z_BEST_COMPRESSION }));
    const packed: PackedFile[] = [{ encoding: 'gzip', bytes: gzipped }];
    const brotli = `${urlPath}${brotliEnding}`;
    if (names.has(brotli)) packed.unshift({ encoding: 'br', bytes: await read(brotli) });
    return {
      bytes,
      packed: packed.filter((one) => one.bytes.byteLength < bytes.byteLength * 0.9),
      type: types[path.extname(urlPath)] ?? 'application/octet-stream',
      isImmutable: urlPath.startsWith('/assets/'),
    };
  }

  return {
    async find(urlPath) {
      const names = await remember(listings, folder, list);
      if (!names.has(urlPath) || urlPath.endsWith(brotliEnding)) return null;
      return await remember(files, urlPath, () => load(urlPath, names));
    },
  };
}

/** Whether a path ends as a file does: no page of the console has such an address. */
export function isFilePath(urlPath: string): boolean {
  return /\.(?:css|gif|html?|ico|jpe?g|js|json|map|mjs|php|png|svg|txt|webmanifest|webp|woff2?|xml)$/i.test(
    urlPath,
  );
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
