import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { limits } from '#shared/limits.ts';

/** A list of JSON texts that may be longer than memory should hold: written behind, read once. */
export class ResultSpool {
  readonly #hold: (bytes: number) => void;
  #pending: string[] = [];
  #pendingBytes = 0;
  #file: FileHandle | null = null;
  #isEmpty = true;

  /** @param hold hears of what is to be written to a file; throws when that is too much beside those of others */
  constructor(hold: (bytes: number) => void) {
    this.#hold = hold;
  }

  /** @throws what `hold` throws */
  async add(json: string): Promise<void> {
    this.#pending.push(this.#isEmpty ? json : `,${json}`);
    this.#isEmpty = false;
    this.#pendingBytes += Buffer.byteLength(json) + 1;
    // Most imports never touch a file.
    if (this.#pendingBytes > limits.importResultsBytesMax) await this.#spill();
  }

  /** All of it between `head` and `tail`, once; the file goes when the stream ends, however it ends. */
  read(head: string, tail: string): ReadableStream<Uint8Array> {
    const parts = this.#parts(head, tail);
    return new ReadableStream({
      async pull(controller) {
        const next = await parts.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
      async cancel() {
        await parts.return();
      },
    });
  }

  async close(): Promise<void> {
    this.#pending = [];
    await this.#file?.close();
    this.#file = null;
  }

  async *#parts(head: string, tail: string): AsyncGenerator<Uint8Array, void, void> {
    try {
      yield Buffer.from(head);
      for (let position = 0; this.#file !== null; ) {
        const { bytesRead, buffer } = await this.#file.read({ buffer: Buffer.alloc(65_536), position });
        if (bytesRead === 0) break;
        position += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
      yield Buffer.from(this.#pending.join('') + tail);
    } finally {
      await this.close();
    }
  }

  async #spill(): Promise<void> {
    this.#hold(this.#pendingBytes);
    this.#file ??= await openNameless();
    await this.#file.appendFile(this.#pending.join(''));
    this.#pending = [];
    this.#pendingBytes = 0;
  }
}

/** A file that is gone from its folder as soon as it is open, so that no crash can leave it behind. */
async function openNameless(): Promise<FileHandle> {
  const file = path.join(tmpdir(), `vectora-import-${randomUUID()}`);
  const handle = await open(file, 'wx+', 0o600);
  await unlink(file);
  return handle;
}
