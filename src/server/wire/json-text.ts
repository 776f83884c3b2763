import { randomBytes } from 'node:crypto';
import { jsonPieces } from './json-in-steps.ts';

/** A JSON value that is known by its text alone: what was stored goes out again without being read. */
export class JsonText<Value> {
  /** UTF-8. */
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  decode(): string {
    return decoder.decode(this.bytes);
  }

  parse(): Value {
    return JSON.parse(this.decode());
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
/** The texts met while a value is written. */
let inserts: Uint8Array[] | null = null;

/** The value as JSON in UTF-8; each `JsonText` in it is copied as it is. */
export function toJsonBytes(value: unknown): string | Uint8Array<ArrayBuffer> {
  return withTexts(written(value));
}

function withTexts({ text, texts }: ReturnType<typeof written>): string | Uint8Array<ArrayBuffer> {
  return texts.length === 0 ? text : atOnce(joined(text.split(quotedMark), texts));
}

/**
 * Values whose JSON somebody else puts together, each written once: others see a mark, which is short, and its text is put there at the end.
 * Marks must stand in the order in which they were made.
 */
export class MarkedValues {
  #written: ReturnType<typeof written>[] = [];

  /** What stands for the value; nothing stands for nothing. */
  mark(value: unknown): unknown {
    if (value === undefined) return undefined;
    this.#written.push(written(value));
    return mark;
  }

  /** The next part of what others have written, which holds marks and nothing that a caller has sent. */
  fill(marked: string): string | Uint8Array<ArrayBuffer> {
    const [first = '', ...rest] = marked.split(quotedMark);
    const values = this.#written.splice(0, rest.length);
    if (values.length < rest.length) throw new Error('a mark stands for nothing');
    const text = first + values.map((value, i) => value.text + rest[i]).join('');
    return withTexts({ text, texts: values.flatMap(({ texts }) => texts) });
  }
}

/** The same as bytes whatever is in it, in memory that is not shared and so can move to another thread. */
export function jsonInUtf8(value: unknown): Uint8Array<ArrayBuffer> {
  return atOnce(jsonInSteps(value));
}

/** The same with a pause after each megabyte. */
export function* jsonInSteps(value: unknown): Generator<void, Uint8Array<ArrayBuffer>, void> {
  const { text, texts } = written(value);
  return texts.length === 0 ? new TextEncoder().encode(text) : yield* joined(text.split(quotedMark), texts);
}

/** A large value that was read from JSON, as bytes, with pauses. */
export function* valueInSteps(value: unknown): Generator<void, Uint8Array<ArrayBuffer>, void> {
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (const piece of jsonPieces(value)) {
    const bytes = encoder.encode(piece);
    pieces.push(bytes);
    size += bytes.byteLength;
    yield;
  }
  const all = new Uint8Array(size);
  let at = 0;
  let pause = copiedBytesMax;
  for (const bytes of pieces) {
    all.set(bytes, at);
    at += bytes.byteLength;
    if (at < pause) continue;
    pause = at + copiedBytesMax;
    yield;
  }
  return all;
}

/** Its text, with a mark in place of each text in it. */
function written(value: unknown): { text: string; texts: Uint8Array[] } {
  const texts: Uint8Array[] = [];
  inserts = texts;
  try {
    return { text: JSON.stringify(value), texts };
  } finally {
    inserts = null;
  }
}

const copiedBytesMax = 1024 * 1024;

function* joined(pieces: string[], inserts: Uint8Array[]): Generator<void, Uint8Array<ArrayBuffer>, void> {
  const size = (sum: number, piece: string | Uint8Array) => sum + Buffer.byteLength(piece);
  const bytes = Buffer.allocUnsafeSlow(pieces.reduce(size, 0) + inserts.reduce(size, 0));
  let at = 0;
  let pause = copiedBytesMax;
  for (const [i, piece] of pieces.entries()) {
    at += bytes.write(piece, at);
    const insert = inserts[i];
    if (insert === undefined) continue;
    bytes.set(insert, at);
    at += insert.byteLength;
    if (at < pause) continue;
    pause = at + copiedBytesMax;
    yield;
  }
  return bytes;
}

function atOnce<Result>(steps: Generator<void, Result, void>): Result {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}
