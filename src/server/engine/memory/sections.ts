import type { Steps } from '../steps.ts';
import type { Numbers } from './with-room.ts';

/** Copied without a pause. */
const copiedBytesMax = 1 << 20;

/**
 * The bytes of a snapshot section: a sequence of numbers, texts and typed arrays, read in the order they were written. Arrays are
 * padded to 8 bytes. Little-endian, as every machine that runs this. A reader throws a RangeError rather than read outside its bytes.
 */
export class SectionWriter {
  #parts: Uint8Array[] = [];
  #length = 0;

  number(value: number): void {
    this.#push(bytesOf(Float64Array.of(value)));
  }

  text(value: string): void {
    this.bytes(new TextEncoder().encode(value));
  }

  /** Many texts, unit by unit, since a document's may hold half a surrogate pair, which UTF-8 cannot. One byte a unit where that is enough. */
  texts(values: readonly string[]): void {
    const sizes = Uint32Array.from(values, (value) => value.length * 2 + Number(wideUnit.test(value)));
    const narrow = values.filter((_, i) => !isWide(sizes[i]));
    const wide = values.filter((_, i) => isWide(sizes[i]));
    this.array(sizes);
    this.array(unitsInto(new Uint8Array(unitCount(narrow)), narrow));
    this.array(unitsInto(new Uint16Array(unitCount(wide)), wide));
  }

  /** Must not be changed before `finish`. */
  bytes(value: Uint8Array): void {
    this.number(value.length);
    this.#push(value);
    const padding = -this.#length & 7;
    if (padding > 0) this.#push(new Uint8Array(padding));
  }

  array(value: ArrayBufferView): void {
    this.bytes(bytesOf(value));
  }

  *finish(): Steps<Uint8Array> {
    const all = new Uint8Array(this.#length);
    let offset = 0;
    for (const part of this.#parts) {
      for (let from = 0; from < part.length; from += copiedBytesMax) {
        const piece = part.subarray(from, from + copiedBytesMax);
        all.set(piece, offset);
        offset += piece.length;
        if (piece.length === copiedBytesMax) yield;
      }
    }
    return all;
  }

  #push(part: Uint8Array): void {
    this.#parts.push(part);
    this.#length += part.length;
  }
}

export class SectionReader {
  readonly #bytes: Uint8Array;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  number(): number {
    return new DataView(this.#take(8).buffer).getFloat64(0, true);
  }

  text(): string {
    return new TextDecoder().decode(this.bytes());
  }

  texts(): string[] {
    const sizes = this.uint32();
    const narrow = { units: new Uint8Array(this.bytes().buffer), at: 0 };
    const wide = { units: this.uint16(), at: 0 };
    return Array.from(sizes, (size) => {
      const source = isWide(size) ? wide : narrow;
      const start = source.at;
      source.at += size >>> 1;
      if (source.at > source.units.length) throw new RangeError('a text ends early');
      return textOf(source.units.subarray(start, source.at));
    });
  }

  /** A copy. */
  bytes(): Uint8Array<ArrayBuffer> {
    const length = this.number();
    if (!Number.isInteger(length) || length < 0) throw new RangeError(`${length} is not a length`);
    const bytes = this.#take(length);
    this.#take(-length & 7);
    return bytes;
  }

  uint16(): Uint16Array<ArrayBuffer> {
    return new Uint16Array(this.bytes().buffer);
  }

  uint32(): Uint32Array<ArrayBuffer> {
    return new Uint32Array(this.bytes().buffer);
  }

  int32(): Int32Array<ArrayBuffer> {
    return new Int32Array(this.bytes().buffer);
  }

  float32(): Float32Array<ArrayBuffer> {
    return new Float32Array(this.bytes().buffer);
  }

  float64(): Float64Array<ArrayBuffer> {
    return new Float64Array(this.bytes().buffer);
  }

  /** An array of the same kind as `sample`. */
  like<T extends Numbers>(sample: T): T {
    const kind = sample.constructor as new (buffer: ArrayBuffer) => T;
    return new kind(this.bytes().buffer);
  }

  end(): void {
    if (this.#offset !== this.#bytes.length) throw new RangeError('bytes are left over');
  }

  #take(length: number): Uint8Array<ArrayBuffer> {
    const end = this.#offset + length;
    if (end > this.#bytes.length) throw new RangeError('the section ends early');
    const bytes = new Uint8Array(this.#bytes.subarray(this.#offset, end));
    this.#offset = end;
    return bytes;
  }
}

function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

const wideUnit = /[\u0100-\uffff]/;
const isWide = (size: number | undefined): boolean => ((size ?? 0) & 1) === 1;
const unitCount = (texts: string[]): number => texts.reduce((sum, { length }) => sum + length, 0);

function unitsInto<T extends Uint8Array | Uint16Array>(units: T, texts: string[]): T {
  let at = 0;
  for (const text of texts) {
    for (let i = 0; i < text.length; i += 1) units[at + i] = text.charCodeAt(i);
    at += text.length;
  }
  return units;
}

/** How many units become text at once: arguments live on the stack. */
const chunkUnits = 4_096;

/** `apply`, as spreading a typed array goes through its iterator and costs tenfold. */
function textOf(units: Uint8Array | Uint16Array): string {
  if (units.length <= chunkUnits) return Reflect.apply(String.fromCharCode, null, units);
  let text = '';
  for (let done = 0; done < units.length; done += chunkUnits)
    text += textOf(units.subarray(done, done + chunkUnits));
  return text;
}
