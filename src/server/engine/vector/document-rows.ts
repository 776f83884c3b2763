/**
 * Whose the rows of a vector table are. A document has a chain of rows, one a passage, in passage order; rows of dead documents are used again.
 */
import type { Bitset } from '../bits/bitset.ts';
import type { SectionReader, SectionWriter } from '../memory/sections.ts';
import { withRoom } from '../memory/with-room.ts';
import { isPauseDue, type Steps } from '../steps.ts';
import { addPassing, alignedMask, emptyMask } from './row-mask.ts';

export const NONE = -1;
/** Rows whose documents are looked at in one go, and units of work to look at one. */
const ownersAtOnce = 1 << 12;
const ownerUnits = 1;
/** Text field, start, end. */
const SPAN = 3;

/** Of a new row: `before` is the document's row of the passage before, `spans` those of all its passages, or none. */
export interface RowPlace {
  ordinal: number;
  passage: number;
  before: number;
  spans: Int32Array;
}

export class DocumentRows {
  #rows = 0;
  #free: number[] = [];
  /** Whether each row is that of the ordinal with its number. */
  #isAligned = true;
  // By row.
  #owner = new Int32Array(8);
  #next = new Int32Array(8);
  #passage = new Int32Array(8);
  #spans = new Int32Array(8);
  /** By ordinal: its first row. */
  #first = new Int32Array(8).fill(NONE);

  /** Rows so far, free ones among them. */
  get rows(): number {
    return this.#rows;
  }

  /** Rows of documents. */
  get used(): number {
    return this.#rows - this.#free.length;
  }

  /** One more than the largest ordinal, or more. */
  get ordinals(): number {
    return this.#first.length;
  }

  get memoryBytes(): number {
    const columns = [this.#owner, this.#next, this.#passage, this.#spans, this.#first];
    return columns.reduce((total, each) => total + each.byteLength, 0) + this.#free.length * 8;
  }

  /** The row that is added next. */
  get nextRow(): number {
    return this.#free.at(-1) ?? this.#rows;
  }

  add({ ordinal, passage, before, spans }: RowPlace): void {
    const row = this.#free.pop() ?? this.#rows;
    if (row === this.#rows) this.#grow();
    this.#owner[row] = ordinal;
    this.#passage[row] = passage;
    this.#next[row] = NONE;
    this.#isAligned &&= row === ordinal;
    this.#first = withRoom(this.#first, ordinal + 1, NONE);
    if (before === NONE) this.#first[ordinal] = row;
    else this.#next[before] = row;
    for (let i = 0; i < SPAN; i += 1)
      this.#spans[row * SPAN + i] = spans[passage * SPAN + i] ?? (i === 0 ? -1 : 0);
  }

  #grow(): void {
    this.#rows += 1;
    this.#owner = withRoom(this.#owner, this.#rows);
    this.#next = withRoom(this.#next, this.#rows);
    this.#passage = withRoom(this.#passage, this.#rows);
    this.#spans = withRoom(this.#spans, this.#rows * SPAN);
  }

  /** @returns the rows that are free now */
  remove(ordinal: number): number[] {
    const rows = this.of(ordinal);
    for (const row of rows) {
      this.#owner[row] = NONE;
      this.#free.push(row);
    }
    if (ordinal < this.#first.length) this.#first[ordinal] = NONE;
    return rows;
  }

  /** Of a document; −1: it has none. */
  firstOf(ordinal: number): number {
    return ordinal < this.#first.length ? (this.#first[ordinal] ?? NONE) : NONE;
  }

  /** Of the same document; −1: it is the last. */
  after(row: number): number {
    return this.#next[row] ?? NONE;
  }

  /** −1: the row is free. */
  ownerOf(row: number): number {
    return this.#owner[row] ?? NONE;
  }

  passageOf(row: number): number {
    return this.#passage[row] ?? 0;
  }

  of(ordinal: number): number[] {
    const rows: number[] = [];
    for (let row = this.firstOf(ordinal); row !== NONE; row = this.after(row)) rows.push(row);
    return rows;
  }

  spansOf(ordinal: number): Int32Array {
    const rows = this.of(ordinal);
    const spans = new Int32Array(rows.length * SPAN);
    for (const [i, row] of rows.entries())
      spans.set(this.#spans.subarray(row * SPAN, (row + 1) * SPAN), i * SPAN);
    return spans;
  }

  /** A bit for each row whose document passes. */
  *maskOf(passes: Bitset): Steps<Uint32Array> {
    if (this.#isAligned) return alignedMask(passes, { rows: this.#rows, free: this.#free });
    const mask = emptyMask(this.#rows);
    if (passes.count() < this.#rows / 8) {
      yield* passes.visit((ordinal) => {
        for (let row = this.firstOf(ordinal); row !== NONE; row = this.#next[row] ?? NONE)
          mask[row >>> 5] = (mask[row >>> 5] ?? 0) | (1 << (row & 31));
      });
      return mask;
    }
    for (let from = 0; from < this.#rows; from += ownersAtOnce) {
      const to = Math.min(from + ownersAtOnce, this.#rows);
      addPassing(mask, { passes, owners: this.#owner }, { from, to });
      if (isPauseDue((to - from) * ownerUnits)) yield;
    }
    return mask;
  }

  encode(writer: SectionWriter): void {
    writer.number(this.#rows);
    writer.number(Number(this.#isAligned));
    writer.array(Float64Array.from(this.#free));
    writer.array(this.#owner.subarray(0, this.#rows));
    writer.array(this.#next.subarray(0, this.#rows));
    writer.array(this.#passage.subarray(0, this.#rows));
    writer.array(this.#spans.subarray(0, this.#rows * SPAN));
    writer.array(this.#first);
  }

  /** @throws RangeError */
  static *decode(reader: SectionReader): Steps<DocumentRows> {
    const rows = new DocumentRows();
    rows.#rows = yield* reader.number();
    rows.#isAligned = (yield* reader.number()) === 1;
    rows.#free = Array.from(yield* reader.float64());
    rows.#owner = yield* reader.int32();
    rows.#next = yield* reader.int32();
    rows.#passage = yield* reader.int32();
    rows.#spans = yield* reader.int32();
    rows.#first = yield* reader.int32();
    if (rows.#owner.length !== rows.#rows) throw new RangeError('rows without documents');
    return rows;
  }
}
