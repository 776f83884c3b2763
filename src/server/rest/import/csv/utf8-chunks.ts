/** The byte order marks by which an encoding is known; without one a table is what it says, or UTF-8. */
const marks: [encoding: string, mark: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Encodings that have U+FFFD themselves. In all others it stands for bytes that mean nothing. */
const withReplacement: ReadonlySet<string> = new Set(['utf-8', 'utf-16le', 'utf-16be', 'gb18030', 'gbk']);

/** Chunks of a table in UTF-8 without a mark, whatever it was sent in. */
export class Utf8Chunks {
  /** Its first bytes, until the mark is known. */
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
    if (begun.length < 3 && marks.some(([, mark]) => startsWith(mark, begun))) {
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
    const [encoding, mark] = marks.find(([, mark]) => startsWith(begun, mark)) ?? [this.#charset, []];
    if (encoding !== null && encoding !== 'utf-8') this.#decoder = decoderOf(encoding);
    if (encoding !== null && !withReplacement.has(encoding)) this.#badBytesEncoding = encoding;
    return this.#decode(begun.subarray(mark.length));
  }

  #decode(chunk: Uint8Array): Uint8Array {
    return this.#decoder === null ? chunk : Buffer.from(this.#decoder.decode(chunk, { stream: true }));
  }
}

/** The mark was cut off. */
function decoderOf(encoding: string) {
  return new TextDecoder(encoding, { ignoreBOM: true });
}

function startsWith(bytes: ArrayLike<number>, beginning: ArrayLike<number>): boolean {
  for (let i = 0; i < beginning.length; i += 1) if (bytes[i] !== beginning[i]) return false;
  return true;
}
