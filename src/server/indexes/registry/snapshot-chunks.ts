import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { flushFolder, isMissing, writeFlushed } from './durable-files.ts';
import { type Chunk, chunkBytes, RefusedFileError } from './snapshot-format.ts';

/** What is digested at once: a fifth of a millisecond of this thread. */
const sliceBytes = 256 * 1024;
/** Of the four threads that files are read by, one is left to others. */
export const chunksAtOnce = 3;

/** The chunks of one collection's snapshot: a folder of files, each named by the digest of what it holds. */
export class SnapshotChunks {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Made, where it is not there; its name is on the disk once the folder that it lies in is flushed. */
  async prepare(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
  }

  /**
   * Writes those that are not there yet. Each appears whole or not at all, and all are on the disk when this is over.
   * @param chunks each as what reads its parts: they are held until it is written, and `chunksAtOnce` of them together
   */
  async add(chunks: readonly (() => Promise<Uint8Array[]>)[]): Promise<Chunk[]> {
    const there = new Set(await readdir(this.#folder));
    const added = await severalAtOnce(chunks, async (read) => {
      const parts = await read();
      const name = await digestOf(parts);
      if (!there.has(name)) {
        there.add(name);
        await this.#write(name, parts);
      }
      return { name, length: lengthOf(parts) };
    });
    // Also for those that were there: whoever wrote them may have ended before this.
    await flushFolder(this.#folder);
    return added;
  }

  /**
   * Reads chunks, several at once, and gives `use` the bytes of one after the other, once they were found right, until it answers. They are in
   * shared memory, which is that of a later chunk as soon as `use` of it is over: of all chunks `chunksAtOnce` are held.
   * @returns null: it has answered none of them
   * @throws RefusedFileError where one cannot be read, is missing, damaged or another, and whatever `use` throws
   */
  async read<Answer>(
    chunks: readonly Chunk[],
    use: (bytes: Uint8Array) => Promise<Answer | null>,
  ): Promise<Answer | null> {
    const longest = chunks.reduce((most, { length }) => Math.max(most, length), 0);
    if (longest > chunkBytes) throw new RefusedFileError('a chunk is too long');
    const unused: Uint8Array[] = [];
    let answer: Answer | null = null;
    /** Until the chunk before was given to `use`. */
    let before: Promise<unknown> = Promise.resolve();
    await severalAtOnce(chunks, async ({ name, length }) => {
      if (answer !== null) return;
      const memory = unused.pop() ?? new Uint8Array(new SharedArrayBuffer(longest));
      const bytes = memory.subarray(0, length);
      const given = inTurn(before, this.#readInto(name, bytes)).then(() => ({ used: use(bytes) }));
      before = given;
      const found = await (await given).used;
      answer ??= found;
      unused.push(memory);
    });
    return answer;
  }

  /** Removes all others, half-written ones too; with none of them the folder. */
  async keepOnly(names: ReadonlySet<string>): Promise<void> {
    if (names.size === 0) return rm(this.#folder, { recursive: true, force: true });
    const others = (await this.#names()).filter((name) => !names.has(name));
    await severalAtOnce(others, (name) => rm(this.#path(name), { force: true }));
  }

  async #names(): Promise<string[]> {
    try {
      return await readdir(this.#folder);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  async #write(name: string, parts: readonly Uint8Array[]): Promise<void> {
    const part = this.#path(`${name}.${randomBytes(4).toString('hex')}.part`);
    await writeFlushed(part, parts);
    await rename(part, this.#path(name));
  }

  /** @throws RefusedFileError */
  async #readInto(name: string, bytes: Uint8Array): Promise<void> {
    const isRight = await this.#isReadInto(name, bytes).catch((error: unknown) => {
      if (isMissing(error)) throw new RefusedFileError(`chunk ${name.slice(0, 8)} is missing`);
      throw new RefusedFileError(error instanceof Error ? error.message : String(error), { cause: error });
    });
    if (isRight) return;
    // The next snapshot would take it for the chunk that its name says. Where it cannot be removed it is refused again.
    await rm(this.#path(name), { force: true }).catch(() => {});
    throw new RefusedFileError(`chunk ${name.slice(0, 8)} is damaged`);
  }

  /** False: it is not what its name says. */
  async #isReadInto(name: string, bytes: Uint8Array): Promise<boolean> {
    const file = await open(this.#path(name), 'r');
    try {
      if ((await file.stat()).size !== bytes.length) return false;
      for (let filled = 0; filled < bytes.length; ) {
        const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, filled);
        if (bytesRead === 0) return false;
        filled += bytesRead;
      }
      return (await digestOf([bytes])) === name;
    } finally {
      await file.close();
    }
  }

  #path(name: string): string {
    return path.join(this.#folder, name);
  }
}

async function digestOf(parts: readonly Uint8Array[]): Promise<string> {
  const hash = createHash('sha256');
  for (const part of parts) {
    for (let from = 0; from < part.length; from += sliceBytes) {
      hash.update(part.subarray(from, from + sliceBytes));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return hash.digest('hex');
}

/** Both are over when this is, whether they have failed or not. @throws what the first of them has thrown, or the other */
async function inTurn(before: Promise<unknown>, read: Promise<unknown>): Promise<void> {
  for (const each of await Promise.allSettled([before, read]))
    if (each.status === 'rejected') throw each.reason;
}

const lengthOf = (parts: readonly Uint8Array[]): number => parts.reduce((sum, { length }) => sum + length, 0);

/** Answers in the items' order. Nothing is begun after a failure, and the first one is thrown once nothing is under way any more. */
async function severalAtOnce<Item, Result>(
  items: readonly Item[],
  task: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  let failure: { error: unknown } | null = null;
  const run = async () => {
    for (const [index, item] of waiting) {
      if (failure !== null) return;
      try {
        results[index] = await task(item, index);
      } catch (error) {
        // Others may fail because of it.
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: chunksAtOnce }, run));
  const failed = failure as { error: unknown } | null;
  if (failed !== null) throw failed.error;
  return results;
}
