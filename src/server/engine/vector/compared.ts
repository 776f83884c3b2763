import type { Bitset } from '../bits/bitset.ts';
import type { Metric } from '../types.ts';
import type { RowQuery } from './nearest-rows.ts';

/** Documents with their similarities, best first. */
export interface Nearest {
  ordinals: Int32Array;
  similarities: Float64Array;
}

export interface NearestAsked {
  /** Documents to look among. */
  passes: Bitset;
  k: number;
  /** So many of them are found as surely as if only these were asked for, the others as well as that finds them; absent: all. */
  surely?: number;
  /** Order of ids. */
  isBefore: (a: number, b: number) => boolean;
  /** Whether all are compared exactly. */
  isExact: boolean;
}

/** A query vector, and how it is compared. */
export interface Compared {
  vector: Float32Array;
  metric: Metric;
  /** One by its length. */
  scale: number;
  row: RowQuery;
}

/** A document's best passage; −Infinity and −1: it has no vector. */
export interface BestPassage {
  similarity: number;
  passage: number;
}
