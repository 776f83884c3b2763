/** The byte order marks by which an encoding is known; without one a table is what it says, or what it looks like. */
const marks: [encoding: string, mark: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Of the beginning, which tells its encoding. */
const beginningBytes = 4;

/** Encodings that have U+FFFD themselves. In all others it stands for bytes that mean nothing. */
const withReplacement: ReadonlySet<string> = new Set(['utf-8', 'utf-16le', 'utf-16be', 'gb18030', 'gbk']);

/** Chunks of a table in UTF-8 without a mark, whatever it was sent in. */
export class Utf8Chunks {
  /** Its first bytes, until the encoding is known. */
  #begun: Uint8Array | null = new Uint8Array(0);
  #decoder: ReturnType<typeof decoderOf> | null = null;
  readonly #charset: string | null;
  #badBytesEncoding: string | null = null;

  constructor(charset: string | null) {
    this.#charset = charset;
  }

  /** The encoding of a table in which U+FFFD tells that bytes are none of it. Null: it does not. */
  get badBytesEncoding(): string | null {
    return this.#badBytesEncoding;
  }

  read(chunk: Uint8Array): Uint8Array {
    if (this.#begun === null) return this.#decode(chunk);
    const begun: Uint8Array = this.#begun.length === 0 ? chunk : Buffer.concat([this.#begun, chunk]);
    if (begun.length < beginningBytes) {
      this.#begun = new Uint8Array(begun);
      return new Uint8Array(0);
    }
    return this.#begin(begun);
  }

  end(): Uint8Array {
    const rest: Uint8Array = this.#begun === null ? new Uint8Array(0) : this.#begin(this.#begun);
    // Half a character becomes U+FFFD.
    const last = this.#decoder === null ? '' : this.#decoder.decode();
    return last === '' ? rest : Buffer.concat([rest, Buffer.from(last)]);
  }

  #begin(begun: Uint8Array): Uint8Array {
    this.#begun = null;
    const told = this.#charset ?? utf16Without(begun);
    const [encoding, mark] = marks.find(([, mark]) => startsWith(begun, mark)) ?? [told, []];
    if (encoding !== null && encoding !== 'utf-8') this.#decoder = decoderOf(encoding);
    if (encoding !== null && !withReplacement.has(encoding)) this.#badBytesEncoding = encoding;
    return this.#decode(begun.subarray(mark.length));
  }

  #decode(chunk: Uint8Array): Uint8Array {
    return this.#decoder === null ? chunk : Buffer.from(this.#decoder.decode(chunk, { stream: true }));
  }
}

/** A header in UTF-16 begins with two letters, each of them beside a zero byte. */
function utf16Without([a, b, c, d]: Uint8Array): string | null {
  if (c === undefined || d === undefined) return null;
  if (a !== 0 && b === 0 && c !== 0 && d === 0) return 'utf-16le';
  if (a === 0 && b !== 0 && c === 0 && d !== 0) return 'utf-16be';
  return null;
}

/** The mark was cut off. */
function decoderOf(encoding: string) {
  return new TextDecoder(encoding, { ignoreBOM: true });
}

function startsWith(bytes: ArrayLike<number>, beginning: ArrayLike<number>): boolean {
  for (let i = 0; i < beginning.length; i += 1) if (bytes[i] !== beginning[i]) return false;
  return true;
}
