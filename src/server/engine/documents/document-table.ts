/**
 * Documents by ordinal: id and JSON text as UTF-8. Ordinals are given in order of arrival and never reused; a replaced or deleted
 * document is a tombstone until a compaction leaves it out. Invariant: at most one live ordinal bears an id.
 */

import { Bitset } from '../bits/bitset.ts';
import { compareBytes, Utf8Scratch } from '../memory/bytes.ts';
import { BytesList } from '../memory/bytes-list.ts';
import { fillSteps } from '../memory/fill-steps.ts';
import { hashBytes } from '../memory/hash.ts';
import { KeyTable } from '../memory/key-table.ts';
import type { SectionReader, SectionWriter } from '../memory/sections.ts';
import { isPauseDue, type Steps } from '../steps.ts';
import { DocumentDraw, type Drawn, type RowLimit } from './document-draw.ts';

/** Copied without a pause. */
const copiedBytesMax = 1 << 18;
/** Read without a pause. */
const sealedBytes = 1 << 13;
/** What moving a document takes beside its bytes, in bytes copied. */
const movedBytes = 256;

export class DocumentTable {
  #ids = new BytesList();
  #sources = new BytesList();
  #table = new KeyTable(this.#ids);
  #live = new Bitset(64);
  #liveCount = 0;
  readonly #draw = new DocumentDraw((ordinal) => this.idHashOf(ordinal));
  readonly #utf8 = new Utf8Scratch();

  /** Ordinals given so far, tombstones included. */
  get capacity(): number {
    return this.#ids.count;
  }

  get liveCount(): number {
    return this.#liveCount;
  }

  /** Ordinals of living documents: read only. */
  get live(): Bitset {
    return this.#live;
  }

  get memoryBytes(): number {
    const live = this.#live.words.byteLength;
    return this.#ids.memoryBytes + this.#sources.memoryBytes + this.#table.memoryBytes + live;
  }

  get hasRoom(): boolean {
    return this.#table.hasRoom(1);
  }

  /** Makes room for one more. */
  reserve(): Steps<void> {
    return this.#table.reserve(1);
  }

  /** The id must not be alive. */
  add(id: string, source: string): number {
    const ordinal = this.#ids.push(this.#utf8.encode(id));
    this.#sources.push(this.#utf8.encode(source));
    this.#table.put(ordinal);
    this.#live.add(ordinal);
    this.#liveCount += 1;
    this.#draw.add(ordinal);
    return ordinal;
  }

  remove(ordinal: number): void {
    if (!this.#live.has(ordinal)) return;
    this.#live.remove(ordinal);
    this.#liveCount -= 1;
    this.#draw.remove(ordinal);
  }

  /** Some of the living documents, or all of a few; with a limit no more than have so many rows together. */
  drawn(limit?: RowLimit): Steps<Drawn> {
    return this.#draw.of(this.#live, limit);
  }

  ordinalOf(id: string): number | undefined {
    const ordinal = this.#table.find(this.#utf8.encode(id));
    return ordinal >= 0 && this.#live.has(ordinal) ? ordinal : undefined;
  }

  idOf(ordinal: number): string {
    return decoder.decode(this.#ids.at(ordinal));
  }

  idHashOf(ordinal: number): number {
    return hashBytes(this.#ids.at(ordinal));
  }

  sourceOf(ordinal: number): string {
    return decoder.decode(this.#sources.at(ordinal));
  }

  sourceBytesOf(ordinal: number): number {
    return this.#sources.lengthAt(ordinal);
  }

  /** The JSON text in UTF-8; a view where it lies in one piece. */
  viewSource(ordinal: number): Uint8Array {
    return this.#sources.at(ordinal);
  }

  /** A number that another version of a document hardly shares. */
  *sealOf(ordinal: number): Steps<number> {
    const source = this.#sources.at(ordinal);
    let seal = source.length;
    for (let from = 0; from < source.length; from += sealedBytes) {
      const part = source.subarray(from, from + sealedBytes);
      seal = (Math.imul(seal, 31) + hashBytes(part)) >>> 0;
      if (isPauseDue(part.length)) yield;
    }
    return seal;
  }

  /** Whether its id comes after these bytes in the order of ids. */
  isAfter(ordinal: number, idBytes: Uint8Array): boolean {
    return compareBytes(this.#ids.at(ordinal), idBytes) > 0;
  }

  /** Copies of the JSON texts, all in one new buffer, so that it can be handed over. */
  *copySources(ordinals: readonly number[]): Steps<Uint8Array[]> {
    const lengths = ordinals.map((ordinal) => this.#sources.lengthAt(ordinal));
    const all = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
    const copies: Uint8Array[] = [];
    let start = 0;
    let pause = copiedBytesMax;
    for (const [i, ordinal] of ordinals.entries()) {
      const copy = all.subarray(start, start + (lengths[i] ?? 0));
      copy.set(this.#sources.at(ordinal));
      copies.push(copy);
      start += copy.length;
      if (start < pause) continue;
      pause = start + copiedBytesMax;
      yield;
    }
    return copies;
  }

  /** Order of ids by code points: what breaks every tie. */
  readonly isBefore = (a: number, b: number): boolean => this.#ids.compare(a, b) < 0;

  /**
   * Some documents, the living ones, in their order, and the new ordinal of each old one (−1: gone). Between two steps documents may come and go: they are those that
   * were there.
   */
  *compacted(some = this.#live.clone()): Steps<{ table: DocumentTable; renumbered: Int32Array }> {
    const table = new DocumentTable();
    const renumbered = yield* fillSteps(new Int32Array(this.capacity), -1);
    yield* table.#table.reserve(some.count());
    let bytes = 0;
    for (const ordinal of yield* some.ordinals()) {
      const id = this.#ids.at(ordinal);
      const moved = table.#ids.push(id);
      table.#sources.push(this.#sources.at(ordinal));
      table.#table.add(moved, id);
      renumbered[ordinal] = moved;
      bytes += id.length + this.#sources.lengthAt(ordinal) + movedBytes;
      if (bytes < copiedBytesMax) continue;
      bytes = 0;
      yield;
    }
    table.#live.fill(table.capacity);
    table.#liveCount = table.capacity;
    return { table, renumbered };
  }

  encode(writer: SectionWriter): void {
    this.#ids.encode(writer);
    this.#sources.encode(writer);
    writer.array(this.#live.words.subarray(0, (this.capacity + 31) >>> 5));
  }

  static *decode(reader: SectionReader): Steps<DocumentTable> {
    const table = new DocumentTable();
    table.#ids = yield* BytesList.decode(reader);
    table.#sources = yield* BytesList.decode(reader);
    table.#table = yield* KeyTable.of(table.#ids);
    const words = yield* reader.uint32();
    table.#live = new Bitset(words.length << 5);
    table.#live.words.set(words);
    table.#liveCount = table.#live.count();
    return table;
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
