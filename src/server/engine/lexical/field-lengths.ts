/**
 * How many words each document has in each field, stop words not counted: one 32-bit word a field, field number in the upper 12 bits and
 * length (at most 1,048,575) in the lower 20. A document with five text fields costs 28 bytes, whatever fields the others have.
 */
import type { SectionReader, SectionWriter } from '../memory/sections.ts';
import { withRoom } from '../memory/with-room.ts';
import { type Steps, stepUnits } from '../steps.ts';

export const fieldsMax = 4096;
const LENGTH_BITS = 20;
const lengthMax = (1 << LENGTH_BITS) - 1;
const NONE = -1;

export class FieldLengths {
  /** By ordinal: where its words end. */
  #ends = new Uint32Array(64);
  #words = new Uint32Array(64);
  /** By ordinal: the sum over its fields. */
  #totals = new Uint32Array(64);
  #count = 0;
  /** By field: the sum over the living documents. */
  #sums = new Float64Array(8);
  /** Weights that most searches share, and by ordinal the weighted lengths that were asked for; −1: not yet. */
  #usual: Float64Array | null = null;
  #usualLengths = new Float64Array(0);

  get memoryBytes(): number {
    const columns = [this.#ends, this.#words, this.#totals, this.#sums, this.#usualLengths];
    return columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Lengths by these weights are found once: a document's fields lie all over the memory. The weights must not change. */
  keep(weights: Float64Array): void {
    this.#usual = weights;
    this.#usualLengths = new Float64Array(0);
  }

  /** The next ordinal's lengths. */
  push(lengths: Iterable<[field: number, length: number]>): void {
    let end = this.#endOf(this.#count - 1);
    let total = 0;
    for (const [field, uncapped] of lengths) {
      const length = Math.min(uncapped, lengthMax);
      this.#words = withRoom(this.#words, end + 1);
      this.#words[end] = ((field << LENGTH_BITS) | length) >>> 0;
      this.#sums = withRoom(this.#sums, field + 1);
      this.#sums[field] = (this.#sums[field] ?? 0) + length;
      total += length;
      end += 1;
    }
    this.#ends = withRoom(this.#ends, this.#count + 1);
    this.#totals = withRoom(this.#totals, this.#count + 1);
    this.#ends[this.#count] = end;
    this.#totals[this.#count] = total;
    this.#count += 1;
  }

  /** The document no longer counts in the sums. */
  forget(ordinal: number): void {
    for (let i = this.#endOf(ordinal - 1); i < this.#endOf(ordinal); i += 1) {
      const word = this.#words[i] ?? 0;
      const field = word >>> LENGTH_BITS;
      this.#sums[field] = (this.#sums[field] ?? 0) - (word & lengthMax);
    }
  }

  /** Words of a document, each field's times its weight; null: every field at 1. */
  of(ordinal: number, weights: Float64Array | null): number {
    if (weights === null) return this.#totals[ordinal] ?? 0;
    if (weights !== this.#usual) return this.#weighted(ordinal, weights);
    if (ordinal >= this.#usualLengths.length)
      this.#usualLengths = withRoom(this.#usualLengths, Math.max(this.#count, ordinal + 1), NONE);
    const known = this.#usualLengths[ordinal] ?? NONE;
    if (known !== NONE) return known;
    const length = this.#weighted(ordinal, weights);
    this.#usualLengths[ordinal] = length;
    return length;
  }

  /** Words of a document in a field. */
  inField(ordinal: number, field: number): number {
    for (let i = this.#endOf(ordinal - 1); i < this.#endOf(ordinal); i += 1) {
      const word = this.#words[i] ?? 0;
      if (word >>> LENGTH_BITS === field) return word & lengthMax;
    }
    return 0;
  }

  #weighted(ordinal: number, weights: Float64Array): number {
    let length = 0;
    for (let i = this.#endOf(ordinal - 1); i < this.#endOf(ordinal); i += 1) {
      const word = this.#words[i] ?? 0;
      length += (weights[word >>> LENGTH_BITS] ?? 0) * (word & lengthMax);
    }
    return length;
  }

  /** Words of all living documents, weighted alike. */
  sum(weights: Float64Array | null): number {
    // Fields that have no sum yet have no words.
    const fields = Math.min(this.#sums.length, weights?.length ?? this.#sums.length);
    let sum = 0;
    for (let field = 0; field < fields; field += 1)
      sum += (weights === null ? 1 : (weights[field] ?? 0)) * (this.#sums[field] ?? 0);
    return sum;
  }

  *compacted(ordinals: Int32Array): Steps<FieldLengths> {
    const result = new FieldLengths();
    let units = 0;
    for (const [ordinal, moved] of ordinals.entries()) {
      if (moved >= 0) result.push(this.#entriesOf(ordinal));
      units += moved >= 0 ? 1 + this.#endOf(ordinal) - this.#endOf(ordinal - 1) : 1;
      if (units < stepUnits) continue;
      units = 0;
      yield;
    }
    return result;
  }

  encode(writer: SectionWriter): void {
    writer.array(this.#ends.subarray(0, this.#count));
    writer.array(this.#words.subarray(0, this.#endOf(this.#count - 1)));
    writer.array(this.#totals.subarray(0, this.#count));
    writer.array(this.#sums);
  }

  static *decode(reader: SectionReader): Steps<FieldLengths> {
    const lengths = new FieldLengths();
    lengths.#ends = yield* reader.uint32();
    lengths.#words = yield* reader.uint32();
    lengths.#totals = yield* reader.uint32();
    lengths.#sums = yield* reader.float64();
    lengths.#count = lengths.#ends.length;
    return lengths;
  }

  #endOf(ordinal: number): number {
    return ordinal < 0 ? 0 : (this.#ends[ordinal] ?? 0);
  }

  #entriesOf(ordinal: number): [number, number][] {
    const words = this.#words.subarray(this.#endOf(ordinal - 1), this.#endOf(ordinal));
    return Array.from(words, (word) => [word >>> LENGTH_BITS, word & lengthMax]);
  }
}
