/**
 * How many of the ten nearest a table finds by its codes, and how many rows that are near by their bits it must
 * compare by their bytes so that it finds them: some of its own rows are the
 * queries, each with its document left out. Bits tell nothing of data without structure: where too few are found however many
 * are compared, all bytes are scanned.
 */
import type { Steps } from '../steps.ts';

export interface ScanStats {
  /** What is compared with a query's vector: a bit for each component, then bytes, then the vectors; bytes, then the vectors; or these alone. */
  scan: 'bits' | 'int8' | 'exact';
  /** Share of the ten nearest that are found, measured on the index's own vectors when they have become more. */
  recall: number;
}

/** How a table looks for the nearest. */
export interface Recall {
  /** Rows there were when it was measured; 0: it was not. */
  rows: number;
  /** Share of the ten nearest that are found. */
  recall: number;
  /** Rows that are nearest by their bits and compared by their bytes at least; null: all bytes are scanned. */
  bits: number | null;
  /** Bytes do not tell the vectors apart: all of these are compared. */
  isExact: boolean;
}

export interface Measured {
  rows: number;
  /** How near the k nearest are to a sampled row's vector, best first, and maybe more of them. */
  truth: (sample: number, k: number) => Steps<Float64Array>;
  /** The same as a search finds them that compares so many rows at first; and whether its bits had to keep more. */
  found: (sample: number, k: number, bits: number | null) => Steps<Found>;
}

export interface Found {
  similarities: Float64Array;
  wasWidened: boolean;
}

const neighbours = 10;
const samples = 64;
/** A table of fewer rows scans its bytes in a fraction of a millisecond. */
const bitsRowsMin = 16_384;
/** What is tried. */
const bitsTried = [256, 384, 512, 768, 1_024, 2_048];
/** More than is promised, .99, since it is measured on a sample. */
const wanted = 0.995;
/** Searches that had to keep more are this share at most, since they take twice as long and more. */
const widenedMost = 1 / 8;
/** Neighbours that may be missed by what is wanted. */
const missesMost = (1 - wanted) * neighbours * samples;
/** Where bytes find a smaller share, as of vectors that all lie far from zero beside each other, none are scanned. */
const recallLeast = 0.98;

export function* measureRecall({ rows, truth, found }: Measured): Steps<Recall> {
  const truths: Float64Array[] = [];
  for (let sample = 0; sample < samples; sample += 1)
    truths.push((yield* truth(sample, neighbours)).subarray(0, neighbours));
  const tried = function* (bits: number | null): Steps<{ recall: number; widened: number }> {
    let [hits, all, widened] = [0, 0, 0];
    for (const [sample, truth] of truths.entries()) {
      const last = truth.at(-1) ?? Number.POSITIVE_INFINITY;
      const { similarities, wasWidened } = yield* found(sample, neighbours, bits);
      widened += Number(wasWidened);
      hits += similarities.filter((similarity) => similarity >= last).length;
      all += truth.length;
      // It cannot become enough any more: all searches of the collection wait for this.
      if (bits !== null && (all - hits > missesMost || widened > samples * widenedMost))
        return { recall: 0, widened: 1 };
    }
    return { recall: all === 0 ? 1 : hits / all, widened: widened / samples };
  };
  if (rows >= bitsRowsMin) {
    for (const bits of bitsTried) {
      const { recall, widened } = yield* tried(bits);
      if (recall >= wanted && widened <= widenedMost) return { rows, recall, bits, isExact: false };
    }
  }
  const { recall } = yield* tried(null);
  if (recall < recallLeast) return { rows, recall: 1, bits: null, isExact: true };
  return { rows, recall, bits: null, isExact: false };
}

/** Row of a sample, of as many as there are: spread over all of them, each somewhere in its part. */
export function sampledRow(sample: number, rows: number): number {
  const part = rows / samples;
  // The fractional parts of multiples of the golden ratio are spread evenly.
  const within = (sample * 0.618_033_988_75) % 1;
  return Math.min(rows - 1, Math.floor((sample + within) * part));
}
