import { type Steps, stepUnits } from '../steps.ts';
import { type ByteStream, copiedBytesMax } from './byte-stream.ts';
import type { Numbers } from './with-room.ts';

/** Units of texts written without a pause. */
const writtenUnitsMax = 1 << 16;
/** Smaller arrays share a piece: what they are moved by costs little to store again. */
const ownPieceBytesMin = 1 << 18;

/**
 * The bytes of a snapshot section: a sequence of numbers, texts and typed arrays, read in the order they were written. Arrays are
 * padded to 8 bytes. Little-endian, as every machine that runs this. A reader throws a RangeError rather than read outside its section.
 *
 * A section is cut into pieces, each of which begins with a large array. So what has only become longer since the last snapshot has its former
 * bytes at their former places of its piece, and whoever stores pieces need not store those again.
 */
export class SectionWriter {
  readonly #pieces: Piece[] = [];
  #parts: Uint8Array[] = [];
  #length = 0;

  number(value: number): void {
    this.#push(bytesOf(Float64Array.of(value)));
  }

  text(value: string): void {
    this.bytes(new TextEncoder().encode(value));
  }

  /** Many texts, unit by unit, since a document's may hold half a surrogate pair, which UTF-8 cannot. One byte a unit where that is enough. */
  *texts(values: readonly string[]): Steps<void> {
    const sizes = new Uint32Array(values.length);
    let narrow = 0;
    let wide = 0;
    for (const [i, value] of values.entries()) {
      const isWideText = wideUnit.test(value);
      sizes[i] = value.length * 2 + Number(isWideText);
      if (isWideText) wide += value.length;
      else narrow += value.length;
      if ((i + 1) % stepUnits === 0) yield;
    }
    this.array(sizes);
    this.array(yield* unitsInto(new Uint8Array(narrow), values, (i) => !isWide(sizes[i])));
    this.array(yield* unitsInto(new Uint16Array(wide), values, (i) => isWide(sizes[i])));
  }

  /** Must not be changed before `finish`. */
  bytes(value: Uint8Array): void {
    this.number(value.length);
    this.#pushPadded(value);
  }

  array(value: ArrayBufferView): void {
    const bytes = bytesOf(value);
    this.number(bytes.length);
    // Behind its length, which changes as it grows.
    if (bytes.length >= ownPieceBytesMin) this.#cut();
    this.#pushPadded(bytes);
  }

  /** How many, and then each as `bytes`, in one piece: arrays of which only the last grows. */
  run(values: readonly ArrayBufferView[]): void {
    this.number(values.length);
    if (values.reduce((sum, { byteLength }) => sum + byteLength, 0) >= ownPieceBytesMin) this.#cut();
    for (const value of values) this.bytes(bytesOf(value));
  }

  /** The pieces, none of them empty. Nothing is written after it. */
  finish(): Piece[] {
    this.#cut();
    return this.#pieces;
  }

  /** What comes next begins a piece. */
  #cut(): void {
    if (this.#length === 0) return;
    this.#pieces.push(new Piece(this.#parts, this.#length));
    this.#parts = [];
    this.#length = 0;
  }

  #pushPadded(value: Uint8Array): void {
    this.#push(value);
    const padding = -this.#length & 7;
    if (padding > 0) this.#push(new Uint8Array(padding));
  }

  #push(part: Uint8Array): void {
    this.#parts.push(part);
    this.#length += part.length;
  }
}

/** Of a section, where it lies: it may be copied as long as that is not changed. */
export class Piece {
  readonly #parts: readonly Uint8Array[];
  readonly length: number;
  /** The part in which the copy before ended, and where it begins: who copies all of it looks at each part once. */
  #at = { part: 0, start: 0 };

  constructor(parts: readonly Uint8Array[], length: number) {
    this.#parts = parts;
    this.length = length;
  }

  /** Those bytes of it that there are. */
  *copy(from = 0, length = this.length): Steps<Uint8Array> {
    const copied = new Uint8Array(Math.max(0, Math.min(length, this.length - from)));
    if (from < this.#at.start) this.#at = { part: 0, start: 0 };
    let done = 0;
    while (done < copied.length) {
      const part = this.#parts[this.#at.part] ?? noBytes;
      const start = from + done - this.#at.start;
      const piece = part.subarray(start, start + Math.min(copiedBytesMax, copied.length - done));
      copied.set(piece, done);
      done += piece.length;
      if (start + piece.length >= part.length && done < copied.length) {
        this.#at = { part: this.#at.part + 1, start: this.#at.start + part.length };
      }
      if (piece.length === copiedBytesMax) yield;
    }
    return copied;
  }
}

const noBytes = new Uint8Array(0);

/** Reads a section from a stream of bytes, and waits for those that have not arrived. */
export class SectionReader {
  readonly #bytes: ByteStream;
  /** Of the section, not read yet. */
  #left: number;
  readonly #word = new Uint8Array(8);

  constructor(bytes: ByteStream, length: number) {
    this.#bytes = bytes;
    this.#left = length;
  }

  *number(): Steps<number> {
    yield* this.#take(this.#word);
    return new DataView(this.#word.buffer).getFloat64(0, true);
  }

  *text(): Steps<string> {
    return new TextDecoder().decode(yield* this.bytes());
  }

  *texts(): Steps<string[]> {
    const sizes = yield* this.uint32();
    const narrow = { units: yield* this.bytes(), at: 0 };
    const wide = { units: yield* this.uint16(), at: 0 };
    const texts: string[] = [];
    for (const size of sizes) {
      const source = isWide(size) ? wide : narrow;
      const start = source.at;
      source.at += size >>> 1;
      if (source.at > source.units.length) throw new RangeError('a text ends early');
      texts.push(textOf(source.units.subarray(start, source.at)));
      if (texts.length % stepUnits === 0) yield;
    }
    return texts;
  }

  *bytes(): Steps<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(yield* this.#length());
    yield* this.#takePadded(bytes);
    return bytes;
  }

  /** To where they belong, which is as long. */
  *bytesInto(target: Uint8Array): Steps<void> {
    const length = yield* this.#length();
    if (length !== target.length) throw new RangeError(`${length} bytes, not ${target.length}`);
    yield* this.#takePadded(target);
  }

  *uint16(): Steps<Uint16Array<ArrayBuffer>> {
    return new Uint16Array((yield* this.bytes()).buffer);
  }

  *uint32(): Steps<Uint32Array<ArrayBuffer>> {
    return new Uint32Array((yield* this.bytes()).buffer);
  }

  *int32(): Steps<Int32Array<ArrayBuffer>> {
    return new Int32Array((yield* this.bytes()).buffer);
  }

  *float32(): Steps<Float32Array<ArrayBuffer>> {
    return new Float32Array((yield* this.bytes()).buffer);
  }

  *float64(): Steps<Float64Array<ArrayBuffer>> {
    return new Float64Array((yield* this.bytes()).buffer);
  }

  /** An array of the same kind as `sample`. */
  *like<T extends Numbers>(sample: T): Steps<T> {
    const kind = sample.constructor as new (buffer: ArrayBuffer) => T;
    return new kind((yield* this.bytes()).buffer);
  }

  /** Whether all of the section has been read. */
  get isAtEnd(): boolean {
    return this.#left === 0;
  }

  /** @throws RangeError: not all of it was read */
  end(): void {
    if (!this.isAtEnd) throw new RangeError('bytes are left over');
  }

  /** Of the bytes that come next, before there is memory for them. */
  *#length(): Steps<number> {
    const length = yield* this.number();
    if (!Number.isInteger(length) || length < 0) throw new RangeError(`${length} is not a length`);
    if (length > this.#left) throw endsEarly();
    return length;
  }

  *#takePadded(target: Uint8Array): Steps<void> {
    yield* this.#take(target);
    yield* this.#take(this.#word.subarray(0, -target.length & 7));
  }

  *#take(target: Uint8Array): Steps<void> {
    if (target.length > this.#left) throw endsEarly();
    this.#left -= target.length;
    yield* this.#bytes.readInto(target);
  }
}

const endsEarly = () => new RangeError('the section ends early');

function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

const wideUnit = /[\u0100-\uffff]/;
const isWide = (size: number | undefined): boolean => ((size ?? 0) & 1) === 1;

/** The units of the texts that are chosen, one behind the other. */
function* unitsInto<T extends Uint8Array | Uint16Array>(
  units: T,
  texts: readonly string[],
  isChosen: (i: number) => boolean,
): Steps<T> {
  let at = 0;
  let pause = writtenUnitsMax;
  for (const [i, text] of texts.entries()) {
    if (isChosen(i)) {
      for (let unit = 0; unit < text.length; unit += 1) units[at + unit] = text.charCodeAt(unit);
      at += text.length;
    }
    if (at < pause && (i + 1) % stepUnits !== 0) continue;
    pause = at + writtenUnitsMax;
    yield;
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

export interface SnapshotPiece {
  name: string;
  /** In bytes. */
  length: number;
}

/** The sections of a snapshot, read in the order in which they were written. */
export class SectionSequence {
  readonly #pieces: readonly SnapshotPiece[];
  readonly #bytes: ByteStream;
  #next = 0;

  /** @param pieces in the order in which their bytes arrive */
  constructor(pieces: readonly SnapshotPiece[], bytes: ByteStream) {
    this.#pieces = pieces;
    this.#bytes = bytes;
  }

  /** What the next section, which must have that name, holds, all of it, and a pause. @throws RangeError, whatever it does not fit */
  *read<Part>(name: string, decode: (reader: SectionReader) => Steps<Part>): Steps<Part> {
    const reader = new SectionReader(this.#bytes, this.#take(name));
    const part = yield* decode(reader);
    reader.end();
    yield;
    return part;
  }

  /** The next piece as it is, which must have that name. @throws RangeError */
  *readPiece(name: string): Steps<Uint8Array> {
    const bytes = new Uint8Array(this.#take(name));
    yield* this.#bytes.readInto(bytes);
    return bytes;
  }

  /** @throws RangeError: not all of them were read */
  end(): void {
    if (this.#next < this.#pieces.length) throw new RangeError('sections are left over');
  }

  /** @returns how many bytes its pieces have */
  #take(name: string): number {
    const first = this.#next;
    let length = 0;
    for (;;) {
      const piece = this.#pieces[this.#next];
      if (piece?.name !== pieceName(name, this.#next - first)) break;
      length += piece.length;
      this.#next += 1;
    }
    if (this.#next === first) throw new RangeError(`there is no section ${name}`);
    return length;
  }
}

/** Adds a section's pieces by the names that `SectionSequence` finds them by. */
export function addSection(sections: Map<string, Piece>, name: string, pieces: readonly Piece[]): void {
  for (const [i, piece] of pieces.entries()) sections.set(pieceName(name, i), piece);
}

const pieceName = (name: string, i: number): string => (i === 0 ? name : `${name} ${i + 1}`);
