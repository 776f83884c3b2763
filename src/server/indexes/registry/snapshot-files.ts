import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * One file a collection, `<id>-<birth>.snapshot`. The birth (microseconds) keeps another database's collection with the same id apart.
 * A file appears whole or not at all: written beside, flushed, renamed.
 */
export class SnapshotFiles {
  readonly #directory: string;
  #prepared: Promise<void> | null = null;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Makes the folder and clears what an ended process left half-written, once. */
  #prepare(): Promise<void> {
    this.#prepared ??= (async () => {
      await mkdir(this.#directory, { recursive: true });
      const names = await readdir(this.#directory);
      await Promise.all(names.filter((name) => name.endsWith('.part')).map((name) => this.#remove(name)));
    })();
    return this.#prepared;
  }

  /** Null: there is none. */
  async read(collectionId: number, birth: string): Promise<Uint8Array | null> {
    await this.#prepare();
    try {
      const bytes = await readFile(this.#file(collectionId, birth));
      // The bytes are handed to a thread: they must not lie in a piece of memory shared with others.
      const isAlone = bytes.buffer.byteLength === bytes.byteLength;
      return isAlone ? new Uint8Array(bytes.buffer) : new Uint8Array(bytes);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw error;
    }
  }

  async write(collectionId: number, birth: string, bytes: Uint8Array): Promise<void> {
    await this.#prepare();
    const file = this.#file(collectionId, birth);
    const part = `${file}.${randomBytes(4).toString('hex')}.part`;
    try {
      const handle = await open(part, 'wx', 0o600);
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(part, file);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
    await this.#syncDirectory();
  }

  /** Removes all files of a collection. */
  async remove(collectionId: number): Promise<void> {
    await this.#prepare();
    const names = await readdir(this.#directory);
    await Promise.all(
      names.filter((name) => name.startsWith(`${collectionId}-`)).map((name) => this.#remove(name)),
    );
  }

  async #syncDirectory(): Promise<void> {
    const handle = await open(this.#directory, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  #remove(name: string): Promise<void> {
    return rm(path.join(this.#directory, name), { force: true });
  }

  #file(collectionId: number, birth: string): string {
    return path.join(this.#directory, `${collectionId}-${birth}.snapshot`);
  }
}
