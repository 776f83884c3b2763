/**
 * The rows that are nearest to a query among those of a mask, by their codes: a scan of the bits keeps the
 * best, whose bytes are compared until the best of these are well before the rest; their bytes keep the `keep` best; or a scan of the bytes
 * alone. What is kept is to be compared exactly. Source: J. Gao and C. Long, RaBitQ (SIGMOD 2024), for bits of
 * rotated vectors; the scale for each vector is that of 8-bit quantisation in common use.
 */
import { popcount } from '../bits/popcount.ts';
import { isPauseDue, type Steps } from '../steps.ts';
import type { Metric } from '../types.ts';
import { HighestRows, LowestRows, nthHighest } from './row-selection.ts';
import { groupRows, type RowBlock, type VectorRows, writeSigns } from './vector-rows.ts';

/** Bytes of codes that are read in a unit of work, and units for a row that is compared by itself. */
const unitBytes = 32;
const rowUnits = 16;
/** Rows that are compared one by one without a pause. */
const rowsAtOnce = 128;
/** So many of the best, or half of what is wanted, must lie in this share of those that were compared, by their bits. */
const surePlaces = 10;
const sureShare = 1 / 3;
/** The bits keep so many times as many rows as are compared at first, and at most. */
const keptTimes = 2;

export interface RowsAsked {
  /** A bit for each row. */
  mask: Uint32Array;
  /** Rows that are wanted in the end. */
  k: number;
  /** Rows that are kept by their bytes. */
  keep: number;
  /** Rows that are nearest by their bits and compared by their bytes at first; null: no bits are compared. */
  bits: number | null;
}

/** One query vector in all its forms. */
export class RowQuery {
  /** As it was given, with zeros behind it. */
  readonly floats: Float64Array;
  readonly bytes: Int16Array;
  readonly bits: Uint8Array;
  /** How the product of codes becomes a score of this metric: see `scanBytes`. */
  readonly factor: number;
  readonly square: number;
  readonly byNorm: number;

  constructor(rows: VectorRows, vector: Float32Array, metric: Metric) {
    const { shape, hasCodes } = rows;
    this.floats = new Float64Array(shape.floatStride / 4);
    this.floats.set(vector);
    const rotated = hasCodes ? rows.rotated(vector) : new Float64Array(0);
    this.bits = new Uint8Array(shape.bitStride);
    writeSigns(rotated, this.bits);
    const largest = rotated.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    // The sum of products of codes must stay within 32 bits.
    const codeMax = Math.min(32_767, Math.floor((2 ** 31 - 1) / (127 * shape.byteStride)));
    this.bytes = new Int16Array(shape.byteStride);
    for (const [i, value] of rotated.entries())
      this.bytes[i] = largest > 0 ? Math.round((value / largest) * codeMax) : 0;
    this.factor = metric === 'euclidean' ? (2 * largest) / codeMax : 1;
    this.square = metric === 'euclidean' ? 1 : 0;
    this.byNorm = Number(metric === 'cosine');
  }
}

export interface NearRows {
  rows: Int32Array;
  /** False: some of the best lie so near the end of what the bits have kept that others may lie behind it. */
  isSure: boolean;
}

export function* nearestRows(rows: VectorRows, query: RowQuery, asked: RowsAsked): Steps<NearRows> {
  if (asked.bits === null) return { rows: yield* bestByBytes(rows, query, asked), isSure: true };
  const near = new LowestRows(asked.bits * keptTimes, rows.shape.bitStride * 8);
  const { head, shape } = rows;
  for (const { block, group, from, to } of groupsOf(rows, query, asked.mask)) {
    const { memory, first } = block;
    const at = rows.bitsAt(group);
    const end = memory.kernels.scanBits(at, from, to, head.bitQuery, near.most, head.out, group - first);
    if (end > head.out) near.take(new Uint32Array(memory.buffer, head.out, (end - head.out) / 4), first);
    if (isPauseDue((groupRows * shape.bitStride) / unitBytes)) yield;
  }
  return yield* nearestOf(near.sorted(), { rows, query }, { ...asked, bits: asked.bits });
}

/** Of the rows that the bits have kept: compared by their bytes, the nearest by their bits first, until it is plain that the others are farther. */
function* nearestOf(
  kept: ReturnType<LowestRows['sorted']>,
  { rows, query }: { rows: VectorRows; query: RowQuery },
  { k, keep, bits }: RowsAsked & { bits: number },
): Steps<NearRows> {
  const best = new HighestRows(keep);
  const scores = new Float32Array(kept.rows.length);
  const looked = Math.min(k, Math.max(surePlaces, k >>> 1));
  let size = 0;
  for (let wanted = bits; size < scores.length; wanted *= 2) {
    while (size < Math.min(wanted, scores.length)) {
      const to = Math.min(size + rowsAtOnce, wanted, scores.length);
      const units = (to - size) * (rowUnits + rows.shape.byteStride / unitBytes);
      for (; size < to; size += 1) {
        const row = kept.rows[size] ?? 0;
        const score = scoreOf(rows, query, row);
        scores[size] = score;
        best.offer(row, score);
      }
      if (isPauseDue(units)) yield;
    }
    if (size >= looked && rankOfBest(kept, scores.subarray(0, size), looked) <= size * sureShare)
      return { rows: best.rows(), isSure: true };
  }
  return { rows: best.rows(), isSure: false };
}

/** How many rows are nearer by their bits than one of the best by their bytes. */
function rankOfBest(
  { values, below }: ReturnType<LowestRows['sorted']>,
  scores: Float32Array,
  count: number,
): number {
  const least = count === 0 ? Number.POSITIVE_INFINITY : nthHighest(scores.slice(), count - 1);
  let rank = 0;
  for (let i = 0; i < scores.length; i += 1) if ((scores[i] ?? 0) >= least) rank = below[values[i] ?? 0] ?? 0;
  return rank;
}

function* bestByBytes(rows: VectorRows, query: RowQuery, { mask, keep }: RowsAsked): Steps<Int32Array> {
  const best = new HighestRows(keep);
  const { head, shape } = rows;
  const { factor, square, byNorm } = query;
  for (const { block, group, from, to } of groupsOf(rows, query, mask)) {
    const { memory } = block;
    const scales = rows.scalesAt(group);
    const { least } = best;
    const end = memory.kernels.scanBytes(
      rows.bytesAt(group),
      from,
      to,
      head.byteQuery,
      scales,
      factor,
      square,
      byNorm,
      least,
      head.out,
      0,
    );
    const length = (end - head.out) / 4;
    best.take(
      new Int32Array(memory.buffer, head.out, length),
      new Float32Array(memory.buffer, head.out, length),
      group,
    );
    if (isPauseDue((groupRows * shape.byteStride) / unitBytes)) yield;
  }
  return best.rows();
}

/** By its bytes. */
function scoreOf(rows: VectorRows, { factor, square, byNorm }: RowQuery, row: number): number {
  const { memory } = rows.blockOf(row) ?? {};
  if (memory === undefined) return Number.NEGATIVE_INFINITY;
  const at = rows.scalesAt(row) / 4;
  const scale = memory.singles[at] ?? 0;
  const norm = memory.singles[at + 1] ?? 0;
  const product = memory.kernels.dotBytes(rows.bytesAt(row), rows.head.byteQuery) * scale * factor;
  return (product - square * norm * norm) / (byNorm === 0 ? 1 : norm);
}

interface Group {
  block: RowBlock;
  /** Its first row. */
  group: number;
  /** Where its part of the mask lies. */
  from: number;
  to: number;
}

/** Groups with rows in the mask; the heads of their blocks have the query and the mask. */
function* groupsOf(rows: VectorRows, query: RowQuery, mask: Uint32Array): Generator<Group> {
  const { head } = rows;
  const words = groupRows / 32;
  for (const block of rows.blocks) {
    writeQuery(rows, block, query);
    const firstWord = block.first / 32;
    const part = mask.subarray(firstWord, firstWord + rows.rowsPerBlock / 32);
    new Uint32Array(block.memory.buffer, head.mask, part.length).set(part);
    for (let word = 0; word < part.length; word += words) {
      let any = 0;
      const end = Math.min(word + words, part.length);
      for (let i = word; i < end; i += 1) any |= part[i] ?? 0;
      if (any !== 0)
        yield {
          block,
          group: block.first + word * 32,
          from: head.mask + word * 4,
          to: head.mask + end * 4,
        };
    }
  }
}

/** Before a block's kernels are asked about it. */
export function writeQuery({ head, hasCodes }: VectorRows, block: RowBlock, query: RowQuery): void {
  if (block.query === query) return;
  block.query = query;
  const { buffer } = block.memory;
  new Float64Array(buffer, head.floatQuery, query.floats.length).set(query.floats);
  if (!hasCodes) return;
  new Int16Array(buffer, head.byteQuery, query.bytes.length).set(query.bytes);
  new Uint8Array(buffer, head.bitQuery, query.bits.length).set(query.bits);
}

export function countIn(mask: Uint32Array): number {
  let count = 0;
  for (let word = 0; word < mask.length; word += 1) count += popcount(mask[word] ?? 0);
  return count;
}
