import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Snapshot } from '#server/engine/types.ts';
import { readSnapshot, readSnapshotBytes, writeSnapshot } from './snapshot-format.ts';

/** Whose snapshot it is. The moment of its creation keeps another database's collection with the same id apart. */
export interface SnapshotOwner {
  collectionId: number;
  createdAtMicros: string;
}

interface Refused {
  refused: string;
}

/** One file a collection, `<id>-<created at>.snapshot`. It appears whole or not at all: written beside, flushed, renamed. */
export class SnapshotFiles {
  readonly #directory: string;
  #prepared: Promise<void> | null = null;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** What reading it will take; one that is damaged at its head or cut is refused. Null: there is none. */
  bytes(owner: SnapshotOwner): Promise<{ bytes: number } | Refused | null> {
    return this.#reading(owner, async (file) => ({ bytes: await readSnapshotBytes(file, nameOf(owner)) }));
  }

  /** Null: there is none. */
  read(owner: SnapshotOwner): Promise<{ snapshot: Snapshot } | Refused | null> {
    return this.#reading(owner, async (file) => ({ snapshot: await readSnapshot(file, nameOf(owner)) }));
  }

  async write(owner: SnapshotOwner, snapshot: Snapshot): Promise<void> {
    await this.#prepare();
    const part = `${this.#path(owner)}.${randomBytes(4).toString('hex')}.part`;
    try {
      const file = await open(part, 'wx', 0o600);
      try {
        await writeSnapshot(file, nameOf(owner), snapshot);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(part, this.#path(owner));
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

  /** A snapshot is a cache, so whatever keeps it from being read is a reason to rebuild. */
  async #reading<T>(
    owner: SnapshotOwner,
    read: (file: FileHandle) => Promise<T>,
  ): Promise<T | Refused | null> {
    try {
      await this.#prepare();
      const file = await open(this.#path(owner), 'r');
      try {
        return await read(file);
      } finally {
        await file.close();
      }
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      return { refused: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Makes the folder and clears what an ended process left half-written: once, or again after it failed. */
  async #prepare(): Promise<void> {
    this.#prepared ??= (async () => {
      await mkdir(this.#directory, { recursive: true, mode: 0o700 });
      const names = await readdir(this.#directory);
      await Promise.all(names.filter((name) => name.endsWith('.part')).map((name) => this.#remove(name)));
    })();
    try {
      await this.#prepared;
    } catch (error) {
      this.#prepared = null;
      throw error;
    }
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

  #path(owner: SnapshotOwner): string {
    return path.join(this.#directory, `${nameOf(owner)}.snapshot`);
  }
}

function nameOf({ collectionId, createdAtMicros }: SnapshotOwner): string {
  return `${collectionId}-${createdAtMicros}`;
}
