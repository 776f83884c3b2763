import { ArrayScanner } from './array-scanner.ts';
import type { ImportPlan } from './import-plan.ts';
import { readChunks, type Upload } from './to-upload.ts';

const newline = 0x0a;
const quote = 0x22;

/**
 * How many rows an upload has, for its progress: it is read beside being sent, chunk by chunk. Null: it is packed, or in UTF-16, and not worth
 * unpacking for that. `countMax`: behind so many no more are counted.
 * @throws the signal's reason
 */
export async function countRows(
  { body, isGzip, mediaType }: Upload,
  { content }: Pick<ImportPlan, 'content'>,
  signal: AbortSignal,
  countMax = Number.POSITIVE_INFINITY,
): Promise<number | null> {
  if (isGzip || mediaType.includes('utf-16')) return null;
  const isTable = content.format === 'table';
  const counter = content.format === 'lines' || isTable ? new LineCounter(isTable) : new ElementCounter();
  await readChunks(body, signal, (chunk) => {
    counter.push(chunk);
    return counter.count <= countMax;
  });
  return counter.count;
}

/** Of lines that are not blank; within the quotes of a table none ends. Its header is none of its rows. */
class LineCounter {
  readonly #isTable: boolean;
  #isQuoted = false;
  #hasText = false;
  #lines = 0;

  constructor(isTable: boolean) {
    this.#isTable = isTable;
  }

  push(chunk: Uint8Array): void {
    for (const byte of chunk) {
      if (byte === newline && !this.#isQuoted) {
        if (this.#hasText) this.#lines += 1;
        this.#hasText = false;
      } else if (byte > 0x20) {
        if (this.#isTable && byte === quote) this.#isQuoted = !this.#isQuoted;
        this.#hasText = true;
      }
    }
  }

  get count(): number {
    const lines = this.#lines + (this.#hasText ? 1 : 0);
    return this.#isTable ? Math.max(0, lines - 1) : lines;
  }
}

class ElementCounter {
  readonly #scanner = new ArrayScanner();
  #isBegun = false;

  push(chunk: Uint8Array): void {
    const start = this.#isBegun ? 0 : chunk.indexOf(0x5b) + 1;
    this.#isBegun ||= start > 0;
    if (this.#isBegun) this.#scanner.push(chunk.subarray(start));
  }

  get count(): number {
    return this.#scanner.count;
  }
}
