import { randomBytes } from 'node:crypto';

/** A JSON value that is known by its text alone: what was stored goes out again without being read. */
export class JsonText<Value> {
  /** UTF-8. */
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  parse(): Value {
    return JSON.parse(decoder.decode(this.bytes));
  }

  /** `JSON.stringify` writes the value; `toJsonBytes` copies the text instead. */
  toJSON(): Value {
    if (inserts === null) return this.parse();
    inserts.push(this.bytes);
    return mark as Value;
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
/** Stands for a text until it is put in its place. Nobody outside ever sees it, so that no value can hold it. */
const mark = randomBytes(18).toString('base64url');
const quotedMark = `"${mark}"`;
/** The texts met while `toJsonBytes` runs. */
let inserts: Uint8Array[] | null = null;

/** The value as JSON in UTF-8; each `JsonText` in it is copied as it is. */
export function toJsonBytes(value: unknown): string | Uint8Array<ArrayBuffer> {
  const found: Uint8Array[] = [];
  inserts = found;
  let text: string;
  try {
    text = JSON.stringify(value);
  } finally {
    inserts = null;
  }
  return found.length === 0 ? text : joined(text.split(quotedMark), found);
}

/** The same as bytes whatever is in it, in memory that is not shared and so can move to another thread. */
export function jsonInUtf8(value: unknown): Uint8Array<ArrayBuffer> {
  const written = toJsonBytes(value);
  return typeof written === 'string' ? new TextEncoder().encode(written) : written;
}

function joined(pieces: string[], inserts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const size = (sum: number, piece: string | Uint8Array) => sum + Buffer.byteLength(piece);
  const bytes = Buffer.allocUnsafeSlow(pieces.reduce(size, 0) + inserts.reduce(size, 0));
  let at = 0;
  for (const [i, piece] of pieces.entries()) {
    at += bytes.write(piece, at);
    const insert = inserts[i];
    if (insert === undefined) continue;
    bytes.set(insert, at);
    at += insert.byteLength;
  }
  return bytes;
}
