/**
 * The vectors of all documents in one flat table of rows, in chunks of about 1 MB. A document has a chain of rows, one a passage, in
 * passage order; rows of dead documents are used again. A search for the nearest compares the query with every row whose document passes:
 * exact, linear in those rows. Any document's similarity is computed when it is asked for, from its rows alone.
 */
import type { Bitset } from '../bits/bitset.ts';
import { TopK } from '../bits/top-k.ts';
import { fillSteps } from '../memory/fill-steps.ts';
import type { SearchScratch } from '../memory/search-scratch.ts';
import type { SectionReader, SectionWriter } from '../memory/sections.ts';
import { withRoom } from '../memory/with-room.ts';
import { isPauseDue, noteWork, type Steps } from '../steps.ts';
import type { Metric } from '../types.ts';
import { dot, euclideanDistance } from './similarity.ts';

const NONE = -1;
const CHUNK_COMPONENTS = 1 << 18;
/** Compared without a pause: a fraction of a millisecond. */
const STEP_COMPONENTS = 1 << 18;
/** Rows looked at without a pause, whether they pass or not. */
const STEP_ROWS = 1 << 12;
/** Components compared in a unit of work. */
const UNIT_COMPONENTS = 4;
/** To find a document's rows, beside their components. */
const ROW_UNITS = 4;
/** Text field, start, end. */
const SPAN = 3;

/** Documents with their similarities, best first. */
export interface Nearest {
  ordinals: Int32Array;
  similarities: Float64Array;
}

export interface NearestAsked {
  /** Documents to look among. */
  passes: Bitset;
  k: number;
  /** How vectors are compared; null: by the table's own metric. */
  metric: Metric | null;
  /** Order of ids. */
  isBefore: (a: number, b: number) => boolean;
  /** Ordinals there are. */
  capacity: number;
  scratch: SearchScratch;
}

/** How one query vector is compared. */
interface Compared {
  vector: Float32Array;
  metric: Metric;
  scale: number;
}

/** A document's best passage; −Infinity and −1: it has no vector. */
interface BestPassage {
  similarity: number;
  passage: number;
}

export class VectorTable {
  readonly #dimension: number;
  readonly #metric: Metric;
  readonly #rowsPerChunk: number;
  #chunks: Float32Array[] = [];
  #rows = 0;
  #free: number[] = [];
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
    this.#rowsPerChunk = Math.max(1, Math.floor(CHUNK_COMPONENTS / dimension));
  }

  get vectorCount(): number {
    return this.#rows - this.#free.length;
  }

  get memoryBytes(): number {
    const columns = [this.#owner, this.#next, this.#passage, this.#spans, this.#scale, this.#first];
    const sum = [...columns, ...this.#chunks].reduce((total, each) => total + each.byteLength, 0);
    return sum + this.#free.length * 8;
  }

  /** `vectors` holds whole rows; `spans` three numbers a row, or none. */
  add(ordinal: number, vectors: Float32Array, spans: Int32Array): void {
    this.#first = withRoom(this.#first, ordinal + 1, NONE);
    let before = NONE;
    for (let passage = 0; (passage + 1) * this.#dimension <= vectors.length; passage += 1) {
      const row = this.#takeRow();
      const start = passage * this.#dimension;
      this.#write(row, vectors.subarray(start, start + this.#dimension));
      for (let i = 0; i < SPAN; i += 1)
        this.#spans[row * SPAN + i] = spans[passage * SPAN + i] ?? (i === 0 ? -1 : 0);
      this.#owner[row] = ordinal;
      this.#passage[row] = passage;
      this.#next[row] = NONE;
      if (before === NONE) this.#first[ordinal] = row;
      else this.#next[before] = row;
      before = row;
    }
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

  vectorsOf(ordinal: number): Float32Array {
    const rows = this.#rowsOf(ordinal);
    const vectors = new Float32Array(rows.length * this.#dimension);
    rows.forEach((row, i) => {
      const { chunk, offset } = this.#place(row);
      vectors.set(chunk.subarray(offset, offset + this.#dimension), i * this.#dimension);
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

  /**
   * The k documents of `passes` with the highest similarity, equals by id. `query`: one vector or several, row by row, of which the nearest
   * counts, as of a document's passages the best one does.
   */
  *nearest(query: Float32Array, asked: NearestAsked): Steps<Nearest> {
    const { passes, k, isBefore, capacity, scratch } = asked;
    const best = yield* fillSteps(scratch.numbers('similarities', capacity), Number.NEGATIVE_INFINITY);
    for (const compared of this.#compared(query, asked.metric)) {
      const rows = Math.min(STEP_ROWS, Math.ceil(STEP_COMPONENTS / this.#dimension));
      for (let from = 0; from < this.#rows; from += rows) {
        const to = Math.min(from + rows, this.#rows);
        this.#compareRows(compared, passes, { best, from, to });
        if (isPauseDue((to - from) * (ROW_UNITS + this.#dimension / UNIT_COMPONENTS))) yield;
      }
    }
    const top = new TopK(k, isBefore);
    yield* passes.visit((ordinal) => {
      const similarity = best[ordinal] ?? 0;
      if (similarity > Number.NEGATIVE_INFINITY) top.offer(ordinal, similarity);
    });
    const { ordinals, scores } = yield* top.sorted();
    return { ordinals, similarities: scores };
  }

  /** Into `similarities`, by the place of the ordinal: −Infinity where it has no vector. */
  *similaritiesOf(
    query: Float32Array,
    ordinals: Int32Array,
    { metric, similarities }: { metric: Metric | null; similarities: Float64Array },
  ): Steps<void> {
    const compared = this.#compared(query, metric);
    for (let place = 0; place < ordinals.length; place += 1) {
      similarities[place] = this.#bestOf(compared, ordinals[place] ?? 0).similarity;
      if (isPauseDue(ROW_UNITS)) yield;
    }
  }

  /** One document's. */
  bestPassage(query: Float32Array, ordinal: number, metric: Metric | null): BestPassage {
    return this.#bestOf(this.#compared(query, metric), ordinal);
  }

  #compared(query: Float32Array, metric: Metric | null): Compared[] {
    return Array.from({ length: query.length / this.#dimension }, (_, i) => {
      const vector = query.subarray(i * this.#dimension, (i + 1) * this.#dimension);
      return { vector, metric: metric ?? this.#metric, scale: inverseNorm(vector, vector, 0) };
    });
  }

  #bestOf(compared: Compared[], ordinal: number): BestPassage {
    const best = { similarity: Number.NEGATIVE_INFINITY, passage: NONE };
    const first = ordinal < this.#first.length ? (this.#first[ordinal] ?? NONE) : NONE;
    for (let row = first; row !== NONE; row = this.#next[row] ?? NONE) {
      for (const each of compared) {
        const similarity = this.#similarity(each, row);
        if (similarity <= best.similarity) continue;
        best.similarity = similarity;
        best.passage = this.#passage[row] ?? 0;
      }
      noteWork((compared.length * this.#dimension) / UNIT_COMPONENTS);
    }
    return best;
  }

  #compareRows(
    compared: Compared,
    passes: Bitset,
    { best, from, to }: { best: Float64Array; from: number; to: number },
  ): void {
    for (let row = from; row < to; row += 1) {
      const ordinal = this.#owner[row] ?? NONE;
      if (ordinal === NONE || !passes.has(ordinal)) continue;
      best[ordinal] = Math.max(best[ordinal] ?? 0, this.#similarity(compared, row));
    }
  }

  /** The same vectors under new ordinals. */
  *compacted(ordinals: Int32Array): Steps<VectorTable> {
    const table = new VectorTable(this.#dimension, this.#metric);
    const rows = Math.min(STEP_ROWS, Math.ceil(STEP_COMPONENTS / this.#dimension));
    for (const [ordinal, moved] of ordinals.entries()) {
      if (moved !== NONE) table.add(moved, this.vectorsOf(ordinal), this.spansOf(ordinal));
      if (ordinal % rows === rows - 1) yield;
    }
    return table;
  }

  encode(writer: SectionWriter): void {
    writer.number(this.#rows);
    writer.array(Float64Array.from(this.#free));
    writer.array(this.#owner.subarray(0, this.#rows));
    writer.array(this.#next.subarray(0, this.#rows));
    writer.array(this.#passage.subarray(0, this.#rows));
    writer.array(this.#spans.subarray(0, this.#rows * SPAN));
    writer.array(this.#scale.subarray(0, this.#metric === 'cosine' ? this.#rows : 0));
    writer.array(this.#first);
    writer.number(this.#chunks.length);
    for (const chunk of this.#chunks) writer.array(chunk);
  }

  static *decode(reader: SectionReader, dimension: number, metric: Metric): Steps<VectorTable> {
    const table = new VectorTable(dimension, metric);
    table.#rows = reader.number();
    table.#free = Array.from(yield* reader.float64());
    table.#owner = yield* reader.int32();
    table.#next = yield* reader.int32();
    table.#passage = yield* reader.int32();
    table.#spans = yield* reader.int32();
    table.#scale = yield* reader.float64();
    table.#first = yield* reader.int32();
    const chunks = reader.number();
    for (let i = 0; i < chunks; i += 1) {
      table.#chunks.push(yield* reader.float32());
      yield;
    }
    return table;
  }

  #similarity({ vector, metric, scale }: Compared, row: number): number {
    const chunk = this.#chunks[Math.floor(row / this.#rowsPerChunk)];
    if (chunk === undefined) return Number.NEGATIVE_INFINITY;
    const offset = (row % this.#rowsPerChunk) * this.#dimension;
    if (metric === 'euclidean') return -euclideanDistance(vector, chunk, offset);
    const product = dot(vector, chunk, offset);
    if (metric !== 'cosine') return product;
    return (
      product *
      scale *
      (this.#metric === 'cosine'
        ? (this.#scale[row] ?? 0)
        : inverseNorm(chunk.subarray(offset, offset + this.#dimension), chunk, offset))
    );
  }

  #takeRow(): number {
    const freed = this.#free.pop();
    if (freed !== undefined) return freed;
    const row = this.#rows;
    this.#rows += 1;
    this.#owner = withRoom(this.#owner, this.#rows);
    this.#next = withRoom(this.#next, this.#rows);
    this.#passage = withRoom(this.#passage, this.#rows);
    this.#spans = withRoom(this.#spans, this.#rows * SPAN);
    if (this.#metric === 'cosine') this.#scale = withRoom(this.#scale, this.#rows);
    return row;
  }

  #write(row: number, vector: Float32Array): void {
    const { chunk, offset } = this.#place(row);
    chunk.set(vector, offset);
    if (this.#metric === 'cosine') this.#scale[row] = inverseNorm(vector, chunk, offset);
  }

  /** Where a row lies; the last chunk grows up to its full size. */
  #place(row: number): { chunk: Float32Array; offset: number } {
    const index = Math.floor(row / this.#rowsPerChunk);
    const offset = (row % this.#rowsPerChunk) * this.#dimension;
    let chunk = this.#chunks[index] ?? new Float32Array(0);
    if (chunk.length < offset + this.#dimension) {
      const rows = Math.min(this.#rowsPerChunk, Math.max(4, (2 * chunk.length) / this.#dimension));
      const grown = new Float32Array(rows * this.#dimension);
      grown.set(chunk);
      this.#chunks[index] = grown;
      chunk = grown;
    }
    return { chunk, offset };
  }

  #rowsOf(ordinal: number): number[] {
    const rows: number[] = [];
    for (let row = this.#first[ordinal] ?? NONE; row !== NONE; row = this.#next[row] ?? NONE) rows.push(row);
    return rows;
  }
}

/** 0 for a vector of zeros: it is similar to nothing. */
function inverseNorm(vector: Float32Array, table: Float32Array, offset: number): number {
  const norm = Math.sqrt(dot(vector, table, offset));
  return norm > 0 ? 1 / norm : 0;
}
