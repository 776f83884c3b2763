import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { SnapshotPiece } from '#server/engine/snapshot.ts';
import type { PieceOfSnapshot } from '../host/gathered-snapshots.ts';
import type { SnapshotSource } from '../host/snapshot-source.ts';
import { flushFolder, isMissing, writeFlushed } from './durable-files.ts';
import { SnapshotChunks } from './snapshot-chunks.ts';
import {
  chunkLengths,
  chunkParts,
  encodeManifest,
  FormerFormatError,
  type Manifest,
  RefusedFileError,
  readManifest,
} from './snapshot-format.ts';

/** Whose snapshot it is. The moment of its creation keeps another database's collection with the same id apart. */
export interface SnapshotOwner {
  collectionId: number;
  createdAtMicros: string;
}

interface Refused {
  refused: string;
}

/** What a snapshot is read for. */
interface SnapshotReceiver<Answer> {
  /** Before the first bytes. */
  begin(pieces: readonly SnapshotPiece[]): Promise<unknown>;
  /** The next bytes: piece by piece, in parts of any length, which are others when this is over. Null: more are needed. */
  take(bytes: Uint8Array): Promise<Answer | null>;
}

/**
 * A collection's snapshot is a manifest, `<id>-<created at>.snapshot`, and a folder of the chunks that it names, `<id>-<created at>.chunks`. Only chunks
 * that are not there yet are written. The manifest appears whole or not at all once its chunks are on the disk, and only then are those removed that
 * it does not name: so at every moment the chunks of the manifest that is there are there. While a snapshot is being written a file `….part` says
 * so; one that an ended process left says which folder may have chunks that nobody names.
 */
export class SnapshotFiles {
  readonly #directory: string;
  #prepared: Promise<void> | null = null;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** What reading it will take; one whose manifest is damaged or cut is refused. Null: there is none. */
  bytes(owner: SnapshotOwner): Promise<{ bytes: number } | Refused | null> {
    return this.#reading(owner, async ({ pieces }) => ({ bytes: bytesOf(pieces) }));
  }

  /**
   * Reads it until its receiver answers. Some chunks are read while others are taken, a few of them at a time: each was found right before.
   * Null: there is none.
   * @throws what the receiver throws
   */
  async read<Answer>(
    owner: SnapshotOwner,
    receiver: SnapshotReceiver<Answer>,
  ): Promise<Answer | Refused | null> {
    const manifest = await this.#reading(owner, async (found) => found);
    if (manifest === null || 'refused' in manifest) return manifest;
    const { pieces, chunks } = manifest;
    if (bytesOf(pieces) !== bytesOf(chunks)) return { refused: 'its chunks are not as long as its pieces' };
    await receiver.begin(pieces);
    try {
      const answer = await this.#chunks(nameOf(owner)).read(chunks, (bytes) => receiver.take(bytes));
      return answer ?? { refused: 'it ends early' };
    } catch (error) {
      if (error instanceof RefusedFileError) return { refused: error.message };
      throw error;
    }
  }

  /** A few chunks at a time are held, however large it is. @throws whatever reading it throws, and the file system */
  async write(owner: SnapshotOwner, source: SnapshotSource): Promise<void> {
    await this.#prepare();
    const name = nameOf(owner);
    const part = this.#path(`${name}.${randomBytes(4).toString('hex')}`);
    const marker = `${part}.part`;
    try {
      await writeFlushed(marker, []);
      const chunks = this.#chunks(name);
      await chunks.prepare();
      await flushFolder(this.#directory);
      const manifest = await addChunks(chunks, name, source);
      await writeFlushed(`${part}.manifest.part`, [encodeManifest(manifest)]);
      await rename(`${part}.manifest.part`, this.#manifestPath(name));
    } catch (error) {
      // On a full disk, chunks that nobody names would take the record's room. What cannot be cleared now is when the server starts again.
      await this.#clear(name, [`${part}.manifest.part`, marker]).catch(() => {});
      throw error;
    }
    await flushFolder(this.#directory);
    await this.#clear(name, [marker]);
  }

  /** Removes all files of a collection. */
  async remove(collectionId: number): Promise<void> {
    await this.#prepare();
    const names = (await readdir(this.#directory)).filter((name) => name.startsWith(`${collectionId}-`));
    await Promise.all(
      names.map((name) => rm(this.#path(name), { force: true, recursive: name.endsWith('.chunks') })),
    );
  }

  /** A snapshot is a cache, so whatever keeps it from being read is a reason to rebuild. */
  async #reading<T>(
    owner: SnapshotOwner,
    read: (manifest: Manifest) => Promise<T>,
  ): Promise<T | Refused | null> {
    try {
      await this.#prepare();
      const manifest = await this.#manifest(nameOf(owner));
      return manifest === null ? null : await read(manifest);
    } catch (error) {
      if (error instanceof FormerFormatError)
        // It has all bytes of an index. One that cannot be removed is replaced by the next snapshot.
        await rm(this.#manifestPath(nameOf(owner)), { force: true }).catch(() => {});
      return { refused: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Makes the folder and clears what an ended process left half-written: once, or again after it failed. */
  async #prepare(): Promise<void> {
    this.#prepared ??= (async () => {
      await mkdir(this.#directory, { recursive: true, mode: 0o700 });
      for (const part of await readdir(this.#directory)) {
        if (part.endsWith('.part')) await this.#clear(part.slice(0, part.indexOf('.')), [this.#path(part)]);
      }
    })();
    try {
      await this.#prepared;
    } catch (error) {
      this.#prepared = null;
      throw error;
    }
  }

  /** Removes the chunks that no manifest names, and then the parts that say that there are some. */
  async #clear(name: string, parts: readonly string[]): Promise<void> {
    const manifest = await this.#manifest(name).catch((error: unknown) => {
      if (error instanceof RefusedFileError) return null;
      throw error;
    });
    await this.#chunks(name).keepOnly(new Set(manifest?.chunks.map((chunk) => chunk.name)));
    for (const part of parts) await rm(part, { force: true });
  }

  /** Null: there is none. @throws RefusedFileError, and whatever the file system throws */
  async #manifest(name: string): Promise<Manifest | null> {
    try {
      const file = await open(this.#manifestPath(name), 'r');
      try {
        return await readManifest(file, name);
      } finally {
        await file.close();
      }
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  #chunks(name: string): SnapshotChunks {
    return new SnapshotChunks(this.#path(`${name}.chunks`));
  }

  #manifestPath(name: string): string {
    return this.#path(`${name}.snapshot`);
  }

  #path(name: string): string {
    return path.join(this.#directory, name);
  }
}

async function addChunks(
  chunks: SnapshotChunks,
  owner: string,
  { pieces, copy }: SnapshotSource,
): Promise<Manifest> {
  const lengths = chunkLengths(pieces.map(({ length }) => length));
  const read = (parts: PieceOfSnapshot[]) => async () => {
    const copies: Uint8Array[] = [];
    for (const part of parts) copies.push(await copy(part));
    return copies;
  };
  const added = await chunks.add(Array.from(chunkParts(pieces, lengths), read));
  return { owner, pieces: [...pieces], chunks: added };
}

function bytesOf(parts: readonly { length: number }[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

function nameOf({ collectionId, createdAtMicros }: SnapshotOwner): string {
  return `${collectionId}-${createdAtMicros}`;
}
