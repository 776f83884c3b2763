/**
 * The rows that are nearest to a query among those of a mask, by their codes: a scan of the bits keeps the
 * best, whose bytes are compared until the best of these are well before the rest; their bytes keep the `keep` best; or a scan of the bytes
 * alone. What is kept is to be compared exactly. Source: J. Gao and C. Long, RaBitQ (SIGMOD 2024), for bits of
 * rotated vectors; the scale for each vector is that of 8-bit quantisation in common use.
 */
import { popcount } from '../bits/popcount.ts';
import { isPauseDue, type Steps } from '../steps.ts';
import type { Metric } from '../types.ts';
import { groupRows } from './kernels/code-shape.ts';
import { HighestRows, LowestRows, nthHighest } from './row-selection.ts';
import { type RowBlock, type VectorRows, writeSigns } from './vector-rows.ts';

/** Bytes of codes that are read in a unit of work, and units for a row that is compared by itself. */
const unitBytes = 32;
const rowUnits = 16;
const groupWords = groupRows / 32;
/** So many of the best, or half of those that are to be found surely, must lie in this share of those that were compared, by their bits. */
const surePlaces = 10;
const sureShare = 1 / 3;
/** The same where all are farther than what was measured: a filter has left out the nearest, and bits tell less of what lies farther. */
const farShare = 1 / 6;
/** The bits keep so many times as many rows as are compared at first, and at most. */
const keptTimes = 2;
/** Rows whose scores by bytes differ by more than so many of their standard errors are in the right order. */
const tellingErrors = 4;

export interface RowsAsked {
  /** A bit for each row. */
  mask: Uint32Array;
  /** Rows that are wanted in the end. */
  k: number;
  /** So many of the best of them are to be found surely, the others as the same look finds them. */
  surely: number;
  /** Rows that are kept by their bytes. */
  keep: number;
  /** Rows that are nearest by their bits and compared by their bytes at first; null: no bits are compared. */
  bits: number | null;
  /** How far the last of these was by its bits, at most, in what the table has measured. */
  usual: number;
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
  /** Standard error of a score by bytes, for each unit of a row's scale (by its length for cosine): each code is wrong by up to a half. */
  readonly error: number;

  constructor(rows: VectorRows, vector: Float32Array, metric: Metric) {
    const { shape, hasCodes } = rows;
    this.floats = new Float64Array(shape.floatStride / 4);
    this.floats.set(vector);
    const rotated = hasCodes ? rows.rotated(vector) : new Float64Array(0);
    this.bits = new Uint8Array(shape.bitStride);
    writeSigns(rotated, this.bits);
    let largest = 0;
    for (let i = 0; i < rotated.length; i += 1) largest = Math.max(largest, Math.abs(rotated[i] ?? 0));
    // The sum of products of codes must stay within 32 bits.
    const codeMax = Math.min(32_767, Math.floor((2 ** 31 - 1) / (127 * shape.byteStride)));
    this.bytes = new Int16Array(shape.byteStride);
    const share = largest > 0 ? codeMax / largest : 0;
    for (let i = 0; i < rotated.length; i += 1) this.bytes[i] = Math.round((rotated[i] ?? 0) * share);
    this.factor = metric === 'euclidean' ? (2 * largest) / codeMax : 1;
    this.square = metric === 'euclidean' ? 1 : 0;
    this.byNorm = Number(metric === 'cosine');
    this.error = (lengthOf(this.bytes) * this.factor) / Math.sqrt(12);
  }
}

function lengthOf(values: Int16Array): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
}

export interface NearRows {
  rows: Int32Array;
  /** False: some of the best lie so near the end of what the bits have kept that others may lie behind it. */
  isSure: boolean;
  /** False: others are so like them by their bytes that some of the best may be among those. */
  isTelling: boolean;
  /** How far the last row is that the bits have kept, by its bits. */
  farthest: number;
}

export function* nearestRows(rows: VectorRows, query: RowQuery, asked: RowsAsked): Steps<NearRows> {
  if (asked.bits === null) return yield* bestByBytes(rows, query, asked);
  const near = new LowestRows(asked.bits * keptTimes, rows.shape.bitStride * 8);
  yield* bestByBits(rows, query, { mask: asked.mask, near });
  return yield* nearestOf(near.sorted(), { rows, query }, { ...asked, bits: asked.bits });
}

function* bestByBits(
  rows: VectorRows,
  query: RowQuery,
  { mask, near }: { mask: Uint32Array; near: LowestRows },
): Steps<void> {
  const { head, shape, groupBytes } = rows;
  for (const block of rows.blocks) {
    const part = writeMask(rows, { block, query }, mask);
    let at = head.end;
    for (let word = 0; word < part.length; word += groupWords, at += groupBytes) {
      if (!hasAny(part, word)) continue;
      // Another search may have been at work during a pause.
      if (block.query !== query) writeMask(rows, { block, query }, mask);
      const { kernels, words } = block.memory;
      const from = head.mask + word * 4;
      const end = kernels.scanBits(
        at,
        from,
        from + groupWords * 4,
        head.bitQuery,
        near.most,
        head.out,
        word * 32,
      );
      if (end > head.out) near.take(words, { from: head.out >>> 2, to: end >>> 2 }, block.first);
      if (isPauseDue((groupRows * shape.bitStride) / unitBytes)) yield;
    }
  }
}

/** Of the rows that the bits have kept: compared by their bytes, the nearest by their bits first, until it is plain that the others are farther. */
export function* nearestOf(
  kept: ReturnType<LowestRows['sorted']>,
  { rows, query }: { rows: VectorRows; query: RowQuery },
  { k, surely, keep, bits, usual }: { k: number; surely: number; keep: number; bits: number; usual: number },
): Steps<NearRows> {
  const scores = new Float32Array(kept.rows.length);
  const looked = Math.min(k, Math.max(surePlaces, surely >>> 1));
  let size = 0;
  let isSure = false;
  const farthest = kept.values.at(-1) ?? 0;
  const share = farthest > usual ? farShare : sureShare;
  for (let wanted = bits; !isSure && size < scores.length; wanted *= 2) {
    const from = size;
    size = Math.min(wanted, scores.length);
    yield* scoreRows(kept.rows.subarray(from, size), { rows, query }, scores.subarray(from, size));
    isSure = size >= looked && rankOfBest(kept, scores.subarray(0, size), looked) <= size * share;
  }
  const best = bestOf(kept.rows, scores.subarray(0, size), { rows, query, k, keep });
  return { rows: best, isSure, isTelling: true, farthest };
}

/** Those that may be among the k best, whatever the bytes leave out; `keep` at least. */
function bestOf(
  list: Int32Array,
  scores: Float32Array,
  { rows, query, k, keep }: { rows: VectorRows; query: RowQuery; k: number; keep: number },
): Int32Array {
  if (scores.length <= keep) return list.subarray(0, scores.length);
  const last = nthHighest(scores.slice(), k - 1);
  let error = 0;
  for (let i = 0; i < scores.length; i += 1)
    if ((scores[i] ?? 0) >= last) error = Math.max(error, errorOf(list[i] ?? 0, rows, query));
  const least = Math.min(nthHighest(scores.slice(), keep - 1), last - tellingErrors * error);
  return list.subarray(0, scores.length).filter((_, i) => (scores[i] ?? 0) >= least);
}

/** Standard error of a row's score by bytes. */
function errorOf(row: number, rows: VectorRows, { error, byNorm }: RowQuery): number {
  const { scale, length } = rows.lengthsOf(row);
  return error * (byNorm === 1 ? scale / length : scale);
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

function* bestByBytes(rows: VectorRows, query: RowQuery, { mask, k, keep }: RowsAsked): Steps<NearRows> {
  const best = new HighestRows(keep);
  const { head, shape, groupBytes } = rows;
  const { factor, square, byNorm } = query;
  const scalesIn = groupRows * shape.byteStride;
  for (const block of rows.blocks) {
    const part = writeMask(rows, { block, query }, mask);
    let at = head.end + groupRows * shape.bitStride;
    for (let word = 0; word < part.length; word += groupWords, at += groupBytes) {
      if (!hasAny(part, word)) continue;
      if (block.query !== query) writeMask(rows, { block, query }, mask);
      const { kernels, words, singles } = block.memory;
      const from = head.mask + word * 4;
      const end = kernels.scanBytes(
        at,
        from,
        from + groupWords * 4,
        head.byteQuery,
        at + scalesIn,
        factor,
        square,
        byNorm,
        best.least,
        head.out,
        0,
      );
      for (let i = head.out >>> 2; i < end >>> 2; i += 2)
        best.offer(block.first + word * 32 + (words[i] ?? 0), singles[i + 1] ?? 0);
      if (isPauseDue((groupRows * shape.byteStride) / unitBytes)) yield;
    }
  }
  const found = best.rows();
  const within = bestOf(found, best.scores(), { rows, query, k, keep: k });
  // Where all of them may be among the best, so may others that were not kept.
  return {
    rows: found,
    isSure: true,
    isTelling: found.length < keep || within.length < found.length,
    farthest: 0,
  };
}

/** By their bytes, by place: block by block, since a block's kernels know its rows only. */
function* scoreRows(
  list: Int32Array,
  { rows, query }: { rows: VectorRows; query: RowQuery },
  scores: Float32Array,
): Steps<void> {
  const { head, rowsPerBlock, shape } = rows;
  for (let from = 0; from < list.length; from += groupRows) {
    const part = list.subarray(from, from + groupRows);
    for (const [i, places] of placesByBlock(part, rowsPerBlock, rows.blocks.length).entries()) {
      const block = rows.blocks[i];
      if (block === undefined || places.length === 0) continue;
      writeQuery(rows, block, query);
      const { kernels, words, singles } = block.memory;
      // The first half of what may be written takes the list, the second one the scores.
      const [listAt, scoresAt] = [head.out >>> 2, (head.out >>> 2) + groupRows];
      for (let j = 0; j < places.length; j += 1)
        words[listAt + j] = (part[places[j] ?? 0] ?? 0) - block.first;
      kernels.scoreBytes(
        head.out,
        head.out + places.length * 4,
        head.end + groupRows * shape.bitStride,
        rows.groupBytes,
        head.byteQuery,
        query.factor,
        query.square,
        query.byNorm,
        scoresAt * 4,
      );
      for (let j = 0; j < places.length; j += 1) scores[from + (places[j] ?? 0)] = singles[scoresAt + j] ?? 0;
    }
    if (isPauseDue(part.length * (rowUnits + shape.byteStride / unitBytes))) yield;
  }
}

/** Places in a list of rows, for each block. */
function placesByBlock(list: Int32Array, rowsPerBlock: number, blocks: number): Int32Array[] {
  const all = Int32Array.from(list.keys());
  if (blocks <= 1) return [all];
  const counts = new Int32Array(blocks + 1);
  for (let i = 0; i < list.length; i += 1) {
    const next = Math.floor((list[i] ?? 0) / rowsPerBlock) + 1;
    counts[next] = (counts[next] ?? 0) + 1;
  }
  for (let block = 1; block <= blocks; block += 1)
    counts[block] = (counts[block] ?? 0) + (counts[block - 1] ?? 0);
  const starts = counts.slice();
  for (let i = 0; i < list.length; i += 1) {
    const block = Math.floor((list[i] ?? 0) / rowsPerBlock);
    const place = counts[block] ?? 0;
    counts[block] = place + 1;
    all[place] = i;
  }
  return Array.from({ length: blocks }, (_, block) => all.subarray(starts[block], starts[block + 1]));
}

function hasAny(mask: Uint32Array, from: number): boolean {
  let any = 0;
  for (let i = from; i < Math.min(from + groupWords, mask.length); i += 1) any |= mask[i] ?? 0;
  return any !== 0;
}

/** Query and mask into a block's head. @returns the block's part of the mask, whole groups */
function writeMask(
  rows: VectorRows,
  { block, query }: { block: RowBlock; query: RowQuery },
  mask: Uint32Array,
): Uint32Array {
  writeQuery(rows, block, query);
  const firstWord = block.first / 32;
  const part = mask.subarray(firstWord, firstWord + rows.rowsPerBlock / 32);
  block.memory.words.set(part, rows.head.mask >>> 2);
  return part;
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
