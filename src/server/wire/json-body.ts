import { AppError } from '#server/errors.ts';
import { decodeInner, decodeUtf8 } from './json.ts';
import { JsonReader } from './json-reader.ts';
import { resultOf, toError } from './reader-result.ts';

/**
 * A large body that becomes a value while it arrives, so that no turn of the main thread is long, and what is no JSON, or more than it may be,
 * is dropped as soon as that is known. What is said of a fault is what `parseJson` says of the whole text.
 */
export class JsonBody {
  #reader: JsonReader;
  #fault: AppError | null = null;
  #isFirst = true;
  /** A character whose rest is in the next chunk. */
  #begun = new Uint8Array(0);

  constructor(valuesMax: number) {
    this.#reader = new JsonReader(valuesMax);
  }

  /** Nothing of it is kept any more. */
  get hasFault(): boolean {
    return this.#fault !== null;
  }

  push(chunk: Uint8Array): void {
    if (this.#fault !== null) return;
    const bytes = this.#begun.length === 0 ? chunk : Buffer.concat([this.#begun, chunk]);
    const whole = bytes.length - begunBytes(bytes);
    // A copy: the chunk would be kept with it.
    this.#begun = new Uint8Array(bytes.subarray(whole));
    this.#read(bytes.subarray(0, whole));
  }

  /** The value, once. @throws AppError BAD_REQUEST */
  parse(): unknown {
    if (this.#fault === null) this.#read(this.#begun);
    if (this.#fault !== null) throw this.#fault;
    return resultOf(this.#reader);
  }

  #read(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    try {
      this.#reader.push(this.#isFirst ? decodeUtf8(bytes) : decodeInner(bytes));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#refuse(error);
    }
    this.#isFirst = false;
    if (this.#reader.fault !== null) this.#refuse(toError(this.#reader.fault));
  }

  #refuse(error: AppError): void {
    this.#fault = error;
    this.#reader = new JsonReader(0);
  }
}

/** How many of the last bytes are the beginning of a character (UTF-8). */
function begunBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= 3; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return wanted > back ? back : 0;
  }
  return 0;
}
