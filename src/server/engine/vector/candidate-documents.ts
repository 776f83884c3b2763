import type { Bitset } from '../bits/bitset.ts';
import { noteWork, type Steps } from '../steps.ts';
import type { Compared } from './compared.ts';
import { type DocumentRows, NONE } from './document-rows.ts';
import type { InvertedFile, Probing } from './lists/inverted-file.ts';
import { countIn, type NearRows, nearestRows, type RowQuery } from './nearest-rows.ts';
import type { VectorRows } from './vector-rows.ts';

/** How a search looks among the rows that pass. */
export interface Scan {
  isExact: boolean;
  /** As `Recall` has it. */
  bits: number | null;
  /** As `RowsAsked` has it. */
  usual: number;
  lists: { file: InvertedFile; probing: Probing } | null;
}

/** The nearest of more than so many lie in more lists. */
const probedNeighbours = 10;

interface Candidates {
  documents: Set<number>;
  wasWidened: boolean;
  farthest: number;
}

interface Among {
  vectors: VectorRows;
  documents: DocumentRows;
}

interface CandidatesAsked {
  passes: Bitset;
  k: number;
  surely?: number;
  scan: Scan;
}

/**
 * Documents among which the k nearest are, at least k of them; null: all that pass. Rows that pass are scanned, or the nearest lists of an inverted file
 * until enough of them pass: whichever reads less. So a narrow filter costs little in any case.
 */
export function* candidateDocuments(
  among: Among,
  compared: Compared[],
  asked: CandidatesAsked,
): Steps<Candidates | null> {
  return (yield* inLists(among, compared, asked)) ?? (yield* inAll(among, compared, asked));
}

/** Null: the lists do not tell. */
function* inLists(
  { documents }: Among,
  compared: Compared[],
  { passes, k, surely = k, scan: { lists } }: CandidatesAsked,
): Steps<Candidates | null> {
  if (lists === null) return null;
  const { file, probing } = lists;
  const rows = documents.used;
  const spread = Math.sqrt(Math.max(1, k / probedNeighbours));
  const rowsWanted = probing.share * rows * spread;
  // About as many rows: a document may have several, or none.
  const passing = passes.count();
  noteWork(passes.words.length);
  if (!file.isWorth({ rows, passing, rowsWanted })) return null;
  return yield* candidates(
    { documents, compared, k, surely, passing, bits: probing.bits },
    (row, { keep, bits }) =>
      file.nearest(row, {
        passes,
        k,
        surely,
        keep,
        bits,
        usual: probing.usual,
        passing: passing / rows,
        rowsWanted,
        passedWanted: 8 * keep,
      }),
  );
}

function* inAll(
  { vectors, documents }: Among,
  compared: Compared[],
  { passes, k, surely = k, scan }: CandidatesAsked,
): Steps<Candidates | null> {
  const mask = yield* documents.maskOf(passes);
  const passing = countIn(mask);
  noteWork(mask.length);
  return yield* candidates(
    { documents, compared, k, surely, passing, bits: scan.bits },
    (row, { keep, bits }) =>
      nearestRows(vectors, row, {
        mask,
        k,
        surely,
        keep,
        bits: bits * 4 < passing ? bits : null,
        usual: scan.usual,
      }),
  );
}

/** Asks for more rows until there are enough documents, and it is plain that they are the nearest. */
function* candidates(
  {
    documents,
    compared,
    k,
    surely,
    passing,
    bits: bitsKept,
  }: {
    documents: DocumentRows;
    compared: Compared[];
    k: number;
    surely: number;
    passing: number;
    bits: number | null;
  },
  nearest: (row: RowQuery, asked: { keep: number; bits: number }) => Steps<NearRows | null>,
): Steps<Candidates | null> {
  let keep = k + Math.max(16, k >>> 1);
  let bits = Math.max(bitsKept ?? passing, 8 * surely, 4 * k);
  let wasWidened = false;
  let farthest = 0;
  while (keep * 4 < passing) {
    const found = new Set<number>();
    let areSure = true;
    let areTelling = true;
    for (const { row } of compared) {
      const near = yield* nearest(row, { keep, bits });
      if (near === null) return null;
      for (const each of near.rows) found.add(documents.ownerOf(each));
      areSure &&= near.isSure;
      areTelling &&= near.isTelling;
      farthest = Math.max(farthest, near.farthest);
    }
    // Rows that were removed during a pause.
    found.delete(NONE);
    // Several passages of a document may be among the nearest rows.
    const areEnough = found.size >= k && areTelling;
    if (areSure && areEnough) return { documents: found, wasWidened, farthest };
    wasWidened = true;
    if (!areEnough) keep *= areTelling ? 4 : 16;
    // They are chosen among the rows that the bits keep.
    if (!areSure || bits < keep) bits *= 4;
  }
  return null;
}
