import type { AppError } from '#server/errors.ts';
import { brokenJson, checkValue, decodeUtf8, refuse } from './json.ts';
import { JsonScanner } from './json-scanner.ts';
import type { ScanFault } from './scan-state.ts';

/** A character has no more bytes. */
const characterBytesMax = 4;

/**
 * A body that is checked while it arrives, so that what is no JSON, or more than it may be, is never parsed. What is said of a fault is what
 * `parseJson` says of the whole text.
 */
export class JsonBody {
  readonly #scanner: JsonScanner;
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(valuesMax: number) {
    this.#scanner = new JsonScanner(valuesMax);
  }

  /** Of what is kept: behind a fault nothing is. */
  get bytes(): number {
    return this.#bytes;
  }

  push(chunk: Uint8Array): void {
    const { fault, markBytes } = this.#scanner;
    if (fault === null) this.#scanner.push(chunk);
    // The character at the fault is shown.
    else if (this.#bytes >= fault.place + markBytes + characterBytesMax) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.byteLength;
  }

  /** The value, once. @throws AppError BAD_REQUEST */
  parse(): unknown {
    this.#scanner.end();
    const [only] = this.#chunks;
    const all = this.#chunks.length === 1 && only ? only : Buffer.concat(this.#chunks, this.#bytes);
    this.#chunks.length = 0;
    const bytes = all.subarray(this.#scanner.markBytes);
    if (this.#scanner.fault !== null) throw faultOf(bytes, this.#scanner.fault);
    const value: unknown = JSON.parse(decodeUtf8(bytes));
    if (this.#scanner.needsCheck) checkValue(value);
    return value;
  }
}

const lossy = new TextDecoder('utf-8', { ignoreBOM: true });

function faultOf(bytes: Uint8Array, { kind, what, place }: ScanFault): AppError {
  const before = decodeUtf8(bytes.subarray(0, place));
  if (kind === 'limit') return refuse({}, what, { position: before.length });
  if (kind === 'syntax') return brokenJson({}, before, what);
  const character = lossy.decode(bytes.subarray(place, place + characterBytesMax)).charAt(0);
  const found = character === '' ? 'the text ends' : `found ${JSON.stringify(character)}`;
  return brokenJson({}, before, `expected ${what}, ${found}`);
}
