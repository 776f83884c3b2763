import { ArrayScanner } from './array-scanner.ts';
import { type Encoding, plainStream } from './file-head.ts';
import type { ImportPlan } from './import-plan.ts';
import { readChunks, type Upload } from './to-upload.ts';

const newline = 0x0a;
const quote = 0x22;

/**
 * How many rows an upload has, for its progress: it is read beside being sent, chunk by chunk. Null: it is packed, or in UTF-16, and not worth
 * unpacking for that.
 * @throws the signal's reason
 */
export async function countRows(
  { body, isGzip, mediaType }: Upload,
  { content }: Pick<ImportPlan, 'content'>,
  signal: AbortSignal,
): Promise<number | null> {
  if (isGzip || utf16Of(mediaType)) return null;
  const counter = counterOf(content);
  await readChunks(body.stream(), signal, (chunk) => {
    counter.push(chunk);
    return true;
  });
  return counter.count;
}

/** Whether an upload has more rows than that: packed or in UTF-16 too, since a check is to refuse it early. @throws the signal's reason */
export async function hasMoreRows(
  { body, isGzip, mediaType }: Upload,
  { content }: Pick<ImportPlan, 'content'>,
  { rowsMax, signal }: { rowsMax: number; signal: AbortSignal },
): Promise<boolean> {
  const counter = counterOf(content);
  const text = plainStream(body, { isGzip, encoding: utf16Of(mediaType) ?? 'utf-8' });
  await readChunks(text, signal, (chunk) => {
    counter.push(chunk);
    return counter.count <= rowsMax;
  });
  return counter.count > rowsMax;
}

function utf16Of(mediaType: string): Encoding | null {
  return mediaType.includes('utf-16le') ? 'utf-16le' : mediaType.includes('utf-16be') ? 'utf-16be' : null;
}

function counterOf({ format }: ImportPlan['content']): LineCounter | ElementCounter {
  const isTable = format === 'table';
  return format === 'lines' || isTable ? new LineCounter(isTable) : new ElementCounter();
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
