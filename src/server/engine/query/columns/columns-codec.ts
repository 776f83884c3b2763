import { Bitset } from '../../bits/bitset.ts';
import type { Field } from './columns.ts';
import { Dictionary } from './dictionary.ts';
import { EntryList, type Values } from './entries.ts';

/**
 * Columns as bytes, little-endian, each array as it stands in memory:
 * magic "VCO2" · end u32 · removed words (u32 count, u32 …) · field count u32 · fields.
 * A field: path text · four lists (numbers f64, booleans u8, dates f64, strings u32) · dictionary (u32 count, then for each code a text
 * and a u32, 1 for the beginning of a long one).
 * A list: u32 size + 1, or 0 for none, then ordinals and values. A text: u32 length · 1 when all units fit a byte, else 2 · the units.
 * Reading checks every length against what is left and every ordinal and code against its bound, so that damaged bytes are refused,
 * never followed.
 */
export interface ColumnsImage {
  end: number;
  removed: Bitset;
  fields: Omit<Field, 'declared'>[];
}

const magic = 0x324f4356;

const listKinds = [
  { name: 'numbers', make: (size: number): Values => new Float64Array(size) },
  { name: 'booleans', make: (size: number): Values => new Uint8Array(size) },
  { name: 'dates', make: (size: number): Values => new Float64Array(size) },
  { name: 'strings', make: (size: number): Values => new Uint32Array(size) },
] as const;

export function encodeColumns(image: Omit<ColumnsImage, 'fields'> & { fields: Field[] }): Uint8Array {
  const writer = new Writer();
  writer.u32(magic);
  writer.u32(image.end);
  const removedWords = image.removed.words.subarray(0, (image.end + 31) >>> 5);
  writer.u32(removedWords.length);
  writer.bytesOf(removedWords);
  const fields = image.fields.filter((field) => field.documentCount > 0);
  writer.u32(fields.length);
  for (const field of fields) {
    writer.text(field.path);
    for (const { name } of listKinds) writeList(writer, field[name]);
    writer.u32(field.dictionary.size);
    for (let code = 0; code < field.dictionary.size; code += 1) {
      writer.text(field.dictionary.textOf(code));
      writer.u32(field.dictionary.isLong(code) ? 1 : 0);
    }
  }
  return writer.finish();
}

function writeList(writer: Writer, list: EntryList | null): void {
  writer.u32(list === null ? 0 : list.size + 1);
  if (list === null) return;
  writer.bytesOf(list.ordinals.subarray(0, list.size));
  writer.bytesOf(list.values.subarray(0, list.size));
}

/** @throws RangeError on anything that `encodeColumns` does not write. */
export function decodeColumns(bytes: Uint8Array): ColumnsImage {
  const reader = new Reader(bytes);
  if (reader.u32() !== magic) throw malformed('not columns');
  const end = reader.u32();
  const removedWords = reader.array(reader.u32(), (size) => new Uint32Array(size));
  if (removedWords.length > Math.ceil(end / 32)) throw malformed('more removed documents than documents');
  const removed = new Bitset(removedWords.length << 5);
  removed.words.set(removedWords);
  const count = reader.u32();
  const fields: ColumnsImage['fields'] = [];
  for (let f = 0; f < count; f++) fields.push(readField(reader, end));
  if (!reader.isAtEnd()) throw malformed('bytes are left over');
  return { end, removed, fields };
}

function readField(reader: Reader, end: number): Omit<Field, 'declared'> {
  const path = reader.text();
  const [numbers, booleans, dates, strings] = listKinds.map(({ make }) => readList(reader, end, make));
  const dictionary = new Dictionary();
  const size = reader.u32();
  for (let code = 0; code < size; code++) {
    const text = reader.text();
    const isLong = reader.u32();
    if (isLong > 1) throw malformed('a text neither long nor short');
    if (dictionary.internPart(text, isLong === 1) !== code) throw malformed('a text is there twice');
  }
  if (strings && !everyValue(strings, (code) => code < size)) throw malformed('a code without a text');
  if (booleans && !everyValue(booleans, (value) => value < 2)) throw malformed('a boolean that is none');
  for (const list of [numbers, dates]) {
    if (list && !everyValue(list, Number.isFinite)) throw malformed('a number that is not finite');
  }
  const lists = {
    numbers: numbers ?? null,
    booleans: booleans ?? null,
    dates: dates ?? null,
    strings: strings ?? null,
  };
  const documentCount = countDistinct(Object.values(lists).filter((list) => list !== null));
  if (documentCount === 0) throw malformed('a field without documents');
  return { path, documentCount, ...lists, dictionary };
}

function readList(reader: Reader, end: number, make: (size: number) => Values): EntryList | null {
  const sizePlusOne = reader.u32();
  if (sizePlusOne === 0) return null;
  const size = sizePlusOne - 1;
  const ordinals = reader.array(size, (length) => new Uint32Array(length));
  let last = 0;
  for (const ordinal of ordinals) {
    if (ordinal < last || ordinal >= end) throw malformed('ordinals out of order');
    last = ordinal;
  }
  return new EntryList(reader.array(size, make), ordinals, size);
}

/** How many different ordinals sorted lists hold together: a merge, since a damaged ordinal must not size a set. */
function countDistinct(lists: EntryList[]): number {
  const places = lists.map(() => 0);
  let count = 0;
  for (;;) {
    let lowest = Number.POSITIVE_INFINITY;
    for (const [l, list] of lists.entries()) {
      const place = places[l] ?? 0;
      if (place < list.size) lowest = Math.min(lowest, list.ordinals[place] ?? 0);
    }
    if (lowest === Number.POSITIVE_INFINITY) return count;
    count++;
    for (const [l, list] of lists.entries()) places[l] = list.end(lowest);
  }
}

function everyValue(list: EntryList, isGood: (value: number) => boolean): boolean {
  for (let place = 0; place < list.size; place++) if (!isGood(list.values[place] ?? 0)) return false;
  return true;
}

const malformed = (why: string): RangeError => new RangeError(`malformed columns: ${why}`);

class Writer {
  #bytes = new Uint8Array(1024);
  #size = 0;

  u32(value: number): void {
    this.#room(4);
    for (let shift = 0; shift < 32; shift += 8) this.#bytes[this.#size++] = (value >>> shift) & 0xff;
  }

  bytesOf(array: Values): void {
    this.#room(array.byteLength);
    this.#bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), this.#size);
    this.#size += array.byteLength;
  }

  text(text: string): void {
    const isWide = /[\u0100-\uffff]/.test(text);
    this.u32(text.length);
    this.#room(1 + text.length * 2);
    this.#bytes[this.#size++] = isWide ? 2 : 1;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      this.#bytes[this.#size++] = unit & 0xff;
      if (isWide) this.#bytes[this.#size++] = unit >>> 8;
    }
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#size);
  }

  #room(more: number): void {
    if (this.#size + more <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#size + more, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#size));
    this.#bytes = grown;
  }
}

/** How many units become text at once: arguments live on the stack. */
const chunkUnits = 4_096;

/** `apply`, as spreading a typed array goes through its iterator and costs tenfold. */
const textOf = (units: Uint16Array): string => Reflect.apply(String.fromCharCode, null, units);

class Reader {
  readonly #bytes: Uint8Array;
  #place = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  isAtEnd(): boolean {
    return this.#place === this.#bytes.length;
  }

  u32(): number {
    const from = this.#take(4);
    const at = (i: number): number => this.#bytes[from + i] ?? 0;
    return (at(0) | (at(1) << 8) | (at(2) << 16) | (at(3) << 24)) >>> 0;
  }

  array<T extends Values>(size: number, make: (size: number) => T): T {
    const bytesPerElement = make(0).BYTES_PER_ELEMENT;
    const from = this.#take(size * bytesPerElement);
    const array = make(size);
    new Uint8Array(array.buffer).set(this.#bytes.subarray(from, this.#place));
    return array;
  }

  text(): string {
    const length = this.u32();
    const width = this.#bytes[this.#take(1)];
    if (width !== 1 && width !== 2) throw malformed('a text of no known width');
    const from = this.#take(length * width);
    const units = new Uint16Array(length);
    if (width === 1) units.set(this.#bytes.subarray(from, this.#place));
    else new Uint8Array(units.buffer).set(this.#bytes.subarray(from, this.#place));
    if (length <= chunkUnits) return textOf(units);
    let text = '';
    for (let done = 0; done < length; done += chunkUnits)
      text += textOf(units.subarray(done, done + chunkUnits));
    return text;
  }

  /** Steps over `size` bytes and answers where they began; checked before anything of that size is made. */
  #take(size: number): number {
    if (size > this.#bytes.length - this.#place) throw malformed('it ends too early');
    const from = this.#place;
    this.#place += size;
    return from;
  }
}
