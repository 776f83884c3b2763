/**
 * The vectors of all documents in one flat table of rows. A document has a chain of rows, one a passage, in passage order; rows of dead documents
 * are used again. The nearest are looked for by codes of the rows (`nearest-rows.ts`) among all whose document passes, at once: a filter makes
 * that faster and never worse. What is found is compared exactly, from the vectors themselves, as is any document whose similarity is asked for.
 * How much of the codes is read is what the table has found out about its own recall (`measure-recall.ts`).
 */
import { Bitset } from '../bits/bitset.ts';
import { TopK } from '../bits/top-k.ts';
import type { SectionReader, SectionWriter } from '../memory/sections.ts';
import { withRoom } from '../memory/with-room.ts';
import { isPauseDue, noteWork, type Steps } from '../steps.ts';
import type { Metric } from '../types.ts';
import type { BestPassage, Compared, Nearest, NearestAsked } from './compared.ts';
import { type Found, measureRecall, type Recall, type ScanStats, sampledRow } from './measure-recall.ts';
import { countIn, nearestRows, RowQuery, writeQuery } from './nearest-rows.ts';
import { addPassing, alignedMask, emptyMask } from './row-mask.ts';
import { inverseNorm } from './similarity.ts';
import { VectorRows } from './vector-rows.ts';

const NONE = -1;
/** Of the rotation. */
const seed = 0x5eed;
/** So few documents are compared exactly and nothing else. */
const exactMax = 256;
/** The truth of a larger table is what a scan of its bytes finds: exact figures would take seconds. */
const exactTruthMax = 1 << 15;
/** Of one sample in so many it is exact all the same: bytes that tell nothing would agree with themselves. */
const exactTruthEvery = 16;
/** Units of work to find a document's rows, and a quarter of one for each component; to look at a row's document. */
const ordinalUnits = 8;
const componentsOfUnit = 4;
const ownerUnits = 1;
/** Rows whose documents are looked at in one go. */
const ownersAtOnce = 1 << 12;
/** Text field, start, end. */
const SPAN = 3;

export class VectorTable {
  readonly #dimension: number;
  readonly #metric: Metric;
  #vectors: VectorRows;
  #rows = 0;
  #free: number[] = [];
  /** Whether each row is that of the ordinal with its number. */
  #isAligned = true;
  #recall: Recall = { rows: 0, recall: 1, bits: null, isExact: false };
  // By row.
  #owner = new Int32Array(8);
  #next = new Int32Array(8);
  #passage = new Int32Array(8);
  #spans = new Int32Array(8);
  /** Inverse norms, kept for cosine only. */
  #scale = new Float64Array(8);
  /** By ordinal: its first row. */
  #first = new Int32Array(8).fill(NONE);

  constructor(dimension: number, metric: Metric) {
    this.#dimension = dimension;
    this.#metric = metric;
    this.#vectors = new VectorRows(dimension, seed);
  }

  get vectorCount(): number {
    return this.#rows - this.#free.length;
  }

  get memoryBytes(): number {
    const columns = [this.#owner, this.#next, this.#passage, this.#spans, this.#scale, this.#first];
    const sum = columns.reduce((total, each) => total + each.byteLength, 0);
    return sum + this.#vectors.memoryBytes + this.#free.length * 8;
  }

  get scanned(): ScanStats {
    const { bits, recall, isExact } = this.#recall;
    if (!this.#vectors.hasCodes || isExact) return { scan: 'exact', recall: 1 };
    return { scan: bits === null ? 'int8' : 'bits', recall };
  }

  /** `vectors` holds whole rows; `spans` three numbers a row, or none. @throws RangeError where there is no memory */
  *add(ordinal: number, vectors: Float32Array, spans: Int32Array): Steps<void> {
    this.#first = withRoom(this.#first, ordinal + 1, NONE);
    let before = NONE;
    for (let passage = 0; (passage + 1) * this.#dimension <= vectors.length; passage += 1) {
      const row = yield* this.#takeRow();
      const vector = vectors.subarray(passage * this.#dimension, (passage + 1) * this.#dimension);
      this.#vectors.write(row, vector);
      if (this.#metric === 'cosine') this.#scale[row] = inverseNorm(vector);
      this.#link(row, { ordinal, passage, before });
      for (let i = 0; i < SPAN; i += 1)
        this.#spans[row * SPAN + i] = spans[passage * SPAN + i] ?? (i === 0 ? -1 : 0);
      before = row;
      if (isPauseDue(this.#dimension * (this.#vectors.hasCodes ? 16 : 1))) yield;
    }
  }

  #link(
    row: number,
    { ordinal, passage, before }: { ordinal: number; passage: number; before: number },
  ): void {
    this.#owner[row] = ordinal;
    this.#passage[row] = passage;
    this.#next[row] = NONE;
    this.#isAligned &&= row === ordinal;
    if (before === NONE) this.#first[ordinal] = row;
    else this.#next[before] = row;
  }

  remove(ordinal: number): void {
    for (const row of this.#rowsOf(ordinal)) {
      this.#owner[row] = NONE;
      this.#free.push(row);
    }
    if (ordinal < this.#first.length) this.#first[ordinal] = NONE;
  }

  has(ordinal: number): boolean {
    return ordinal < this.#first.length && this.#first[ordinal] !== NONE;
  }

  /** Vectors of a document. */
  countOf(ordinal: number): number {
    let count = 0;
    for (let row = this.#firstOf(ordinal); row !== NONE; row = this.#next[row] ?? NONE) count += 1;
    return count;
  }

  vectorsOf(ordinal: number): Float32Array {
    const rows = this.#rowsOf(ordinal);
    const vectors = new Float32Array(rows.length * this.#dimension);
    rows.forEach((row, i) => {
      vectors.set(this.#vectors.view(row), i * this.#dimension);
    });
    return vectors;
  }

  spansOf(ordinal: number): Int32Array {
    const rows = this.#rowsOf(ordinal);
    const spans = new Int32Array(rows.length * SPAN);
    rows.forEach((row, i) => {
      spans.set(this.#spans.subarray(row * SPAN, (row + 1) * SPAN), i * SPAN);
    });
    return spans;
  }

  /** A query, one vector or several row by row, to be compared with this table while it does not change. Metric null: the table's own. */
  compared(query: Float32Array, metric: Metric | null): Compared[] {
    const used = metric ?? this.#metric;
    return Array.from({ length: query.length / this.#dimension }, (_, i) => {
      const vector = query.subarray(i * this.#dimension, (i + 1) * this.#dimension);
      const row = new RowQuery(this.#vectors, vector, used);
      return { vector, metric: used, scale: inverseNorm(vector), row };
    });
  }

  /**
   * The k documents of `passes` with the highest similarity, equals by id. Of several query vectors the nearest counts, as of a document's
   * passages the best one does. All similarities are exact; that these documents are the nearest is so for the share that `scanned` tells.
   */
  *nearest(compared: Compared[], asked: NearestAsked): Steps<Nearest> {
    const isExact = asked.isExact || this.#recall.isExact;
    // Bits tell directions: that they suffice was measured for the table's own metric.
    const isOwn = compared.every(({ metric }) => metric === this.#metric);
    return (yield* this.#nearest(compared, { ...asked, isExact }, isOwn ? this.#recall.bits : null)).nearest;
  }

  *#nearest(
    compared: Compared[],
    asked: NearestAsked,
    bitsKept: number | null,
  ): Steps<{ nearest: Nearest; wasWidened: boolean }> {
    const { passes, k, isBefore, isExact } = asked;
    const top = new TopK(k, isBefore);
    const offer = (ordinal: number) => {
      const { similarity } = this.bestPassage(compared, ordinal);
      if (similarity > Number.NEGATIVE_INFINITY) top.offer(ordinal, similarity);
    };
    const found =
      isExact || !this.#vectors.hasCodes || passes.count() <= exactMax
        ? null
        : yield* this.#candidates(compared, asked, bitsKept);
    if (k > 0) yield* (found?.documents ?? passes).visitDear(offer);
    const { ordinals, scores } = yield* top.sorted();
    return { nearest: { ordinals, similarities: scores }, wasWidened: found?.wasWidened ?? false };
  }

  /** Documents among which the k nearest are, at least k of them; null: all that pass. */
  *#candidates(
    compared: Compared[],
    { passes, k }: Pick<NearestAsked, 'passes' | 'k'>,
    bitsKept: number | null,
  ): Steps<{ documents: Bitset; wasWidened: boolean } | null> {
    const mask = yield* this.#maskOf(passes);
    const passing = countIn(mask);
    noteWork(mask.length);
    let keep = k + Math.max(16, k >>> 1);
    let bits = bitsKept === null ? passing : Math.max(bitsKept, 8 * k);
    let wasWidened = false;
    while (keep * 4 < passing) {
      const asked = { mask, k, keep, bits: bits * 4 < passing ? bits : null };
      const candidates = new Bitset(0);
      let areSure = true;
      for (const { row } of compared) {
        const { rows, isSure } = yield* nearestRows(this.#vectors, row, asked);
        for (const each of rows) candidates.add(this.#owner[each] ?? 0);
        areSure &&= isSure;
      }
      // Several passages of a document may be among the nearest rows.
      const areEnough = candidates.count() >= k;
      if (areSure && areEnough) return { documents: candidates, wasWidened };
      wasWidened = true;
      bits *= 4;
      if (!areEnough) keep *= 4;
    }
    return null;
  }

  /** A bit for each row whose document passes. */
  *#maskOf(passes: Bitset): Steps<Uint32Array> {
    if (this.#isAligned) return alignedMask(passes, { rows: this.#rows, free: this.#free });
    const mask = emptyMask(this.#rows);
    if (passes.count() < this.#rows / 8) {
      yield* passes.visit((ordinal) => {
        for (let row = this.#firstOf(ordinal); row !== NONE; row = this.#next[row] ?? NONE)
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

  /** Into `similarities`, by the place of the ordinal: −Infinity where it has no vector. */
  *similaritiesOf(compared: Compared[], ordinals: Int32Array, similarities: Float64Array): Steps<void> {
    for (let place = 0; place < ordinals.length; place += 1) {
      similarities[place] = this.bestPassage(compared, ordinals[place] ?? 0).similarity;
      if (isPauseDue(ordinalUnits)) yield;
    }
  }

  /** One document's. */
  bestPassage(compared: Compared[], ordinal: number): BestPassage {
    const best = { similarity: Number.NEGATIVE_INFINITY, passage: NONE };
    for (let row = this.#firstOf(ordinal); row !== NONE; row = this.#next[row] ?? NONE) {
      for (const each of compared) {
        const similarity = this.#similarity(each, row);
        if (similarity <= best.similarity) continue;
        best.similarity = similarity;
        best.passage = this.#passage[row] ?? 0;
      }
      noteWork((compared.length * this.#dimension) / componentsOfUnit);
    }
    return best;
  }

  #similarity({ metric, scale, row: query }: Compared, row: number): number {
    const block = this.#vectors.blockOf(row);
    if (block === undefined) return Number.NEGATIVE_INFINITY;
    writeQuery(this.#vectors, block, query);
    const { kernels } = block.memory;
    const at = this.#vectors.floatsAt(row);
    const { floatQuery } = this.#vectors.head;
    if (metric === 'euclidean') {
      const squares = kernels.squaredDistance(at, floatQuery);
      return squares === 0 ? 0 : -Math.sqrt(squares);
    }
    const product = kernels.dotFloats(at, floatQuery);
    if (metric !== 'cosine') return product;
    const own = this.#metric === 'cosine' ? (this.#scale[row] ?? 0) : inverseNorm(this.#vectors.view(row));
    return product * scale * own;
  }

  /** To be run once the table has changed: finds out anew what to scan when there are twice as many rows as it was found out for. */
  *settle(): Steps<void> {
    const rows = this.vectorCount;
    if (!this.#vectors.hasCodes || rows < 2 * this.#recall.rows) return;
    const all = new Bitset(this.#first.length);
    for (const [ordinal, row] of this.#first.entries()) if (row !== NONE) all.add(ordinal);
    if (isPauseDue(this.#first.length)) yield;
    const sampled = (sample: number, how: { k: number; isExact: boolean; bits: number | null }) =>
      this.#sampled(sample, { all, ...how });
    this.#recall = yield* measureRecall({
      rows,
      *truth(sample, k) {
        const isExact = rows <= exactTruthMax || sample % exactTruthEvery === 0;
        return (yield* sampled(sample, { k: isExact ? k : 16 * k, isExact, bits: null })).similarities;
      },
      found: (sample, k, bits) => sampled(sample, { k, isExact: false, bits }),
    });
  }

  /** How near the nearest other documents are to a sampled row; those that a scan of bytes finds among many stand for the exact ones. */
  *#sampled(
    sample: number,
    { all, k, isExact, bits }: { all: Bitset; k: number; isExact: boolean; bits: number | null },
  ): Steps<Found> {
    const row = sampledRow(sample, this.#rows);
    const own = this.#owner[row] ?? NONE;
    if (own === NONE) return { similarities: new Float64Array(0), wasWidened: false };
    const compared = this.compared(this.#vectors.view(row).slice(), null);
    all.remove(own);
    const isBefore = (a: number, b: number) => a < b;
    const asked = { passes: all, k, isBefore, isExact };
    const { nearest, wasWidened } = yield* this.#nearest(compared, asked, bits);
    all.add(own);
    return { similarities: nearest.similarities, wasWidened };
  }

  /** The same vectors under new ordinals. */
  *compacted(ordinals: Int32Array): Steps<VectorTable> {
    const table = new VectorTable(this.#dimension, this.#metric);
    for (const [ordinal, moved] of ordinals.entries()) {
      if (moved === NONE) continue;
      table.#first = withRoom(table.#first, moved + 1, NONE);
      let before = NONE;
      for (const [passage, source] of this.#rowsOf(ordinal).entries()) {
        const row = yield* table.#takeRow();
        table.#vectors.copy(row, this.#vectors, source);
        if (this.#metric === 'cosine') table.#scale[row] = this.#scale[source] ?? 0;
        table.#spans.set(this.#spans.subarray(source * SPAN, (source + 1) * SPAN), row * SPAN);
        table.#link(row, { ordinal: moved, passage, before });
        before = row;
      }
      if (isPauseDue(ordinalUnits + this.#dimension)) yield;
    }
    table.#recall = this.#recall;
    return table;
  }

  encode(writer: SectionWriter): void {
    writer.number(this.#rows);
    writer.number(Number(this.#isAligned));
    writer.number(this.#recall.rows);
    writer.number(this.#recall.recall);
    writer.number(this.#recall.bits ?? 0);
    writer.number(Number(this.#recall.isExact));
    writer.array(Float64Array.from(this.#free));
    writer.array(this.#owner.subarray(0, this.#rows));
    writer.array(this.#next.subarray(0, this.#rows));
    writer.array(this.#passage.subarray(0, this.#rows));
    writer.array(this.#spans.subarray(0, this.#rows * SPAN));
    writer.array(this.#scale.subarray(0, this.#metric === 'cosine' ? this.#rows : 0));
    writer.array(this.#first);
    this.#vectors.encode(writer, this.#rows);
  }

  static *decode(reader: SectionReader, dimension: number, metric: Metric): Steps<VectorTable> {
    const table = new VectorTable(dimension, metric);
    table.#rows = reader.number();
    table.#isAligned = reader.number() === 1;
    table.#recall = {
      rows: reader.number(),
      recall: reader.number(),
      bits: reader.number() || null,
      isExact: reader.number() === 1,
    };
    table.#free = Array.from(yield* reader.float64());
    table.#owner = yield* reader.int32();
    table.#next = yield* reader.int32();
    table.#passage = yield* reader.int32();
    table.#spans = yield* reader.int32();
    table.#scale = yield* reader.float64();
    table.#first = yield* reader.int32();
    if (table.#owner.length !== table.#rows) throw new RangeError('rows without documents');
    yield* table.#vectors.decode(reader, table.#rows);
    return table;
  }

  *#takeRow(): Steps<number> {
    const freed = this.#free.pop();
    if (freed !== undefined) return freed;
    const row = this.#rows;
    if (!this.#vectors.hasRoom(row)) yield* this.#vectors.reserve(row + 1, row);
    this.#rows += 1;
    this.#owner = withRoom(this.#owner, this.#rows);
    this.#next = withRoom(this.#next, this.#rows);
    this.#passage = withRoom(this.#passage, this.#rows);
    this.#spans = withRoom(this.#spans, this.#rows * SPAN);
    if (this.#metric === 'cosine') this.#scale = withRoom(this.#scale, this.#rows);
    return row;
  }

  #firstOf(ordinal: number): number {
    return ordinal < this.#first.length ? (this.#first[ordinal] ?? NONE) : NONE;
  }

  #rowsOf(ordinal: number): number[] {
    const rows: number[] = [];
    for (let row = this.#firstOf(ordinal); row !== NONE; row = this.#next[row] ?? NONE) rows.push(row);
    return rows;
  }
}
