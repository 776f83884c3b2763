/**
 * How many of the ten nearest a table finds by its codes: some of its own rows are the queries, each with its document left out. Of rows that are
 * near by their bits it takes as many to compare by their bytes as it needs. Bits tell nothing of data without structure: where too few are found
 * however many are compared, all bytes are scanned. Of an inverted file as few lists are read as find what is promised of it; where that takes more
 * of the table than is worth it, the file is not used.
 */
import type { Steps } from '../steps.ts';
import type { Nearest } from './compared.ts';
import type { Probing } from './lists/inverted-file.ts';

/** How a table looks for the nearest among all rows that pass. */
export interface Recall {
  /** Rows there were when it was measured; 0: it was not. */
  rows: number;
  /** Share of the ten nearest that are found. */
  recall: number;
  /** Rows that are nearest by their bits and compared by their bytes at least; null: all bytes are scanned. */
  bits: number | null;
  /** As `RowsAsked` has it. */
  usual: number;
  /** Bytes do not tell the vectors apart: all of these are compared. */
  isExact: boolean;
}

/** A row's vector, which is looked up without its own document. */
export interface Sample {
  vector: Float32Array;
  own: number;
}

export interface Truth {
  sample: Sample;
  /** The nearest other documents. */
  nearest: Nearest;
}

/** What is known before searches are measured. Documents may come and go between two steps. */
export interface Truths {
  truths: readonly Truth[];
  isLiving: (ordinal: number) => boolean;
}

export interface Found {
  nearest: Nearest;
  /** Whether the bits had to keep more than at first. */
  wasWidened: boolean;
  /** As `NearRows` has it. */
  farthest: number;
  /** Whether all that pass were compared exactly, since codes did not tell. */
  wereAll: boolean;
}

/** How a search finds the k nearest of a sample. */
type Finds<How> = (sample: Sample, k: number, how: How) => Steps<Found>;

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
/** Where bytes find a smaller share, or most searches compare all vectors after them, as of those that all lie far from zero beside each other, none are scanned. */
const recallLeast = 0.98;
/** Of an inverted file .97 is promised: rows of the table are easier to find than queries that are like no row. */
const probedWanted = 0.98;
const sharesTried = [
  0.0025, 0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.12, 0.16, 0.2, 0.25,
];
const probedBitsTried = [256, 512, 1_024, 2_048, 4_096];

export function* truthsOf(
  sampled: readonly Sample[],
  truth: (sample: Sample, k: number, place: number) => Steps<Nearest>,
): Steps<Truth[]> {
  const truths: Truth[] = [];
  for (const [place, sample] of sampled.entries()) {
    const { ordinals, similarities } = yield* truth(sample, neighbours, place);
    const nearest = {
      ordinals: ordinals.slice(0, neighbours),
      similarities: similarities.slice(0, neighbours),
    };
    truths.push({ sample, nearest });
  }
  return truths;
}

/** `found`: as a search finds them that compares so many rows by their bytes at first. */
export function* measureRecall(
  { rows, truths }: { rows: number; truths: Truths },
  found: Finds<number | null>,
): Steps<Recall> {
  if (rows >= bitsRowsMin) {
    for (const bits of bitsTried) {
      const { recall, usual } = yield* shareFound(truths, wanted, (sample) =>
        found(sample, neighbours, bits),
      );
      if (recall >= wanted) return { rows, recall, bits, usual, isExact: false };
    }
  }
  const { recall, exactly } = yield* shareFound(truths, null, (sample) => found(sample, neighbours, null));
  if (recall < recallLeast || exactly > samples / 2)
    return { rows, recall: 1, bits: null, usual: 0, isExact: true };
  return { rows, recall, bits: null, usual: 0, isExact: false };
}

/** Null: what is promised of a file needs more of the table than is worth it. */
export function* measureProbing(truths: Truths, found: Finds<Probing>): Steps<Probing | null> {
  const tried = (share: number, bits: number) =>
    shareFound(truths, probedWanted, (sample) =>
      found(sample, neighbours, { share, bits, usual: Number.POSITIVE_INFINITY, recall: 0 }),
    );
  const most = sharesTried.at(-1) ?? 0;
  for (const bits of probedBitsTried) {
    // Bits that are too few for most lists are too few for some of them.
    if ((yield* tried(most, bits)).recall < probedWanted) continue;
    for (const share of sharesTried) {
      const { recall, usual } = yield* tried(share, bits);
      if (recall >= probedWanted) return { share, bits, usual, recall };
    }
  }
  return null;
}

/** 0 where it cannot be what is wanted any more, or where too many searches had to keep more: measuring takes long. */
function* shareFound(
  { truths, isLiving }: Truths,
  least: number | null,
  found: (sample: Sample) => Steps<Found>,
): Steps<{ recall: number; usual: number; exactly: number }> {
  const missesMost = least === null ? Number.POSITIVE_INFINITY : (1 - least) * neighbours * samples;
  let [hits, all, widened, usual, exactly] = [0, 0, 0, 0, 0];
  for (const { sample, nearest: truth } of truths) {
    const { nearest, wasWidened, farthest, wereAll } = yield* found(sample);
    exactly += Number(wereAll);
    if (!wasWidened) usual = Math.max(usual, farthest);
    widened += Number(wasWidened);
    const living = truth.similarities.filter((_, i) => isLiving(truth.ordinals[i] ?? 0));
    const last = living.at(-1) ?? Number.POSITIVE_INFINITY;
    hits += Math.min(living.length, nearest.similarities.filter((similarity) => similarity >= last).length);
    all += living.length;
    if (all - hits > missesMost || (least !== null && widened > samples * widenedMost))
      return { recall: 0, usual, exactly };
  }
  return { recall: all === 0 ? 1 : hits / all, usual, exactly };
}

/** Rows of samples: spread over all, each somewhere in its part. */
export function sampledRows(rows: number): number[] {
  const part = rows / samples;
  return Array.from({ length: samples }, (_, sample) => {
    // The fractional parts of multiples of the golden ratio are spread evenly.
    const within = (sample * 0.618_033_988_75) % 1;
    return Math.min(rows - 1, Math.floor((sample + within) * part));
  });
}
