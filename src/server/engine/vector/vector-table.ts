/**
 * The vectors of all documents in one flat table of rows, in chunks of about 1 MB. A document has a chain of rows, one a passage, in
 * passage order; rows of dead documents are used again. A search compares the query with every row whose document passes: exact, linear in
 * those rows.
 */
import type { Bitset } from '../bits/bitset.ts';
import { fillSteps } from '../memory/fill-steps.ts';
import type { SearchScratch } from '../memory/search-scratch.ts';
import type { SectionReader, SectionWriter } from '../memory/sections.ts';
import { withRoom } from '../memory/with-room.ts';
import { isPauseDue, type Steps } from '../steps.ts';
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
/** Text field, start, end. */
const SPAN = 3;

export interface Similarities {
  /** By ordinal: the best passage's similarity, −Infinity without a vector. */
  best: Float64Array;
  /** By ordinal: the number of that passage. */
  passage: Int32Array;
}

/** How one query vector is compared, and with which documents. */
interface Compared {
  passes: Bitset;
  metric: Metric;
  queryScale: number;
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
   * Similarities of all documents in `passes`, in arrays of the scratch; `capacity` is the number of ordinals. Of several query vectors, row by
   * row, the nearest counts. Metric null: compared by the table's own.
   */
  *compare(
    query: Float32Array,
    {
      passes,
      capacity,
      metric,
      scratch,
    }: { passes: Bitset; capacity: number; metric: Metric | null; scratch: SearchScratch },
  ): Steps<Similarities> {
    const similarities = {
      best: yield* fillSteps(scratch.numbers('similarities', capacity), Number.NEGATIVE_INFINITY),
      passage: yield* fillSteps(scratch.integers('passages', capacity), NONE),
    };
    for (let at = 0; at < query.length; at += this.#dimension) {
      const row = query.subarray(at, at + this.#dimension);
      const compared = { passes, metric: metric ?? this.#metric, queryScale: inverseNorm(row, row, 0) };
      yield* this.#compareAll(row, compared, similarities);
    }
    return similarities;
  }

  *#compareAll(query: Float32Array, compared: Compared, similarities: Similarities): Steps<void> {
    const rows = Math.min(STEP_ROWS, Math.ceil(STEP_COMPONENTS / this.#dimension));
    for (let from = 0; from < this.#rows; from += rows) {
      const to = Math.min(from + rows, this.#rows);
      this.#compareRows(query, compared, { ...similarities, from, to });
      if (isPauseDue(((to - from) * this.#dimension) / UNIT_COMPONENTS)) yield;
    }
  }

  #compareRows(
    query: Float32Array,
    { passes, metric, queryScale }: Compared,
    { best, passage, from, to }: Similarities & { from: number; to: number },
  ): void {
    for (let row = from; row < to; row += 1) {
      const ordinal = this.#owner[row] ?? NONE;
      if (ordinal === NONE || !passes.has(ordinal)) continue;
      const similarity = this.#similarity(query, { queryScale, row, metric });
      const known = best[ordinal] ?? 0;
      const isEarlier = similarity === known && (this.#passage[row] ?? 0) < (passage[ordinal] ?? 0);
      if (similarity > known || isEarlier) {
        best[ordinal] = similarity;
        passage[ordinal] = this.#passage[row] ?? 0;
      }
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

  #similarity(
    query: Float32Array,
    { queryScale, row, metric }: { queryScale: number; row: number; metric: Metric },
  ): number {
    const chunk = this.#chunks[Math.floor(row / this.#rowsPerChunk)];
    if (chunk === undefined) return Number.NEGATIVE_INFINITY;
    const offset = (row % this.#rowsPerChunk) * this.#dimension;
    if (metric === 'euclidean') return -euclideanDistance(query, chunk, offset);
    const product = dot(query, chunk, offset);
    if (metric !== 'cosine') return product;
    return (
      product *
      queryScale *
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
