/**
 * An inverted file over the codes of a table: lists of rows that lie in the same direction, so that a search reads the lists that are nearest to its
 * query, and there the bits of the rows. A row that is written comes into the list it is nearest to. Its centroids stay as they were trained; the table
 * has another file made when it has twice the rows. Source: J. Sivic and A. Zisserman, Video Google (ICCV 2003), as in H. Jégou et al., Product
 * Quantization for Nearest Neighbor Search (TPAMI 2011).
 */
import type { Bitset } from '../../bits/bitset.ts';
import type { SectionReader, SectionWriter } from '../../memory/sections.ts';
import { isPauseDue, type Steps } from '../../steps.ts';
import type { DocumentRows } from '../document-rows.ts';
import { type NearRows, nearestOf, type RowQuery } from '../nearest-rows.ts';
import { LowestRows, nthHighest } from '../row-selection.ts';
import type { VectorRows } from '../vector-rows.ts';
import { GroupedCentroids } from './grouped-centroids.ts';
import { RowLists } from './row-lists.ts';

/** Of the table's rows when it was trained: there is room for so many times as many ordinals. */
const ordinalsTimes = 8;
/** Units of work to put a row into a list. */
const placeUnits = 64;
/** Bytes of bits that are read in a unit of work. */
const unitBytes = 16;
/** The bits keep so many times as many rows as are compared by their bytes at first. */
const keptTimes = 2;
/** Rows that pass are sparse where so many times as many were expected. */
const sparseTimes = 2;
/** Fewer tell nothing of that. */
const expectedMin = 16;
/** Of the lists that are looked at as a rule so many times as many are put into order at first. */
const orderedTimes = 1.25;
const NONE = -1;
/** Rows whose bits are read in the time in which a centroid is compared; of which the mask alone is. */
const rowsOfCentroid = 5;
const rowsOfMaskWord = 16;

/** How the file is read: found out by the table. */
export interface Probing {
  /** Of all rows so large a share is looked at, where all pass. */
  share: number;
  /** As `RowsAsked` has it. */
  bits: number;
  usual: number;
  recall: number;
}

export interface ProbeAsked {
  passes: Bitset;
  k: number;
  /** As `RowsAsked` has it. */
  surely: number;
  keep: number;
  bits: number;
  usual: number;
  /** Rows that are looked at where all pass. */
  rowsWanted: number;
  /** Rows that pass among them, at least. */
  passedWanted: number;
  /** Of all rows, as a share. */
  passing: number;
}

export class InvertedFile {
  /** Rows of the table when the file was made. */
  readonly rows: number;
  probing: Probing | null = null;
  readonly #vectors: VectorRows;
  readonly #centroids: GroupedCentroids;
  readonly #lists: RowLists;

  constructor(vectors: VectorRows, centroids: GroupedCentroids, rows: number) {
    this.rows = rows;
    this.#vectors = vectors;
    this.#centroids = centroids;
    this.#lists = new RowLists(vectors.shape, { lists: centroids.count, ordinalsMax: rows * ordinalsTimes });
  }

  /** One of the same centroids over other rows, whose lists are known; null: there is no memory for it. */
  *overRows(vectors: VectorRows, documents: DocumentRows, listOf: Int32Array): Steps<InvertedFile | null> {
    const file = new InvertedFile(vectors, this.#centroids, this.rows);
    file.probing = this.probing;
    for (const [row, list] of listOf.entries()) {
      if (list >= file.lists) throw new RangeError(`there is no list ${list}`);
      if (list === NONE) continue;
      const { bits } = vectors.codesOf(row);
      if (!file.#lists.add(list, { row, owner: documents.ownerOf(row), bits })) return null;
      if (isPauseDue(placeUnits)) yield;
    }
    return file;
  }

  get memoryBytes(): number {
    return this.#centroids.memoryBytes + this.#lists.memoryBytes;
  }

  get lists(): number {
    return this.#centroids.count;
  }

  /** −1: the row is in none. */
  listOf(row: number): number {
    const { listOf } = this.#lists;
    return row < listOf.length ? (listOf[row] ?? NONE) : NONE;
  }

  /** Into the list it is nearest to, from that it was in. @returns false: there is no room */
  write(row: number, owner: number): boolean {
    this.#lists.remove(row);
    const { bytes, bits } = this.#vectors.codesOf(row);
    return this.#lists.add(this.#centroids.nearest(bytes), { row, owner, bits });
  }

  get writeUnits(): number {
    return placeUnits + this.#centroids.nearestUnits;
  }

  remove(row: number): void {
    this.#lists.remove(row);
  }

  /** Whether fewer rows are looked at than in a scan of those that pass, of so many in all. */
  isWorth({ rows, passing, rowsWanted }: { rows: number; passing: number; rowsWanted: number }): boolean {
    const probed = this.lists * rowsOfCentroid + rowsWanted * Math.sqrt(rows / passing);
    return probed < passing + rows / rowsOfMaskWord;
  }

  /**
   * The nearest rows of the nearest lists, as `nearestRows` finds them among all. The nearest of the rows that pass are farther away than the nearest of all,
   * as those are of which more are wanted: what is looked at grows with the root of either. Where fewer pass around the query than elsewhere, that
   * is what counts; null: there are far fewer, and all rows had better be scanned.
   */
  *nearest(query: RowQuery, asked: ProbeAsked): Steps<NearRows | null> {
    const near = new LowestRows(asked.bits * keptTimes, this.#vectors.shape.bitStride * 8);
    const inHead = { query, passes: asked.passes };
    // What is looked at where all is as everywhere.
    const lists = Math.ceil((this.lists * asked.rowsWanted) / (Math.sqrt(asked.passing) * this.rows));
    const scores = this.#centroids.scores(query.bytes);
    let units = this.#centroids.scoresUnits;
    let passed = 0;
    let looked = 0;
    for (const list of nearestFirst(scores, Math.ceil(lists * orderedTimes))) {
      this.#lists.ask(inHead);
      passed += this.#lists.scan(list, near);
      units += (this.#lists.sizeOf(list) * this.#vectors.shape.bitStride) / unitBytes;
      looked += this.#lists.sizeOf(list);
      const expected = looked * asked.passing;
      const dense = passed * Math.min(1, passed / expected);
      if (passed >= asked.passedWanted && looked * dense >= asked.rowsWanted ** 2) break;
      if (looked >= asked.rowsWanted && expected >= expectedMin && passed * sparseTimes < expected)
        return null;
      if (isPauseDue(units)) yield;
      units = 0;
    }
    const kept = near.sorted();
    const found = yield* nearestOf(kept, { rows: this.#vectors, query }, asked);
    // Where the bits have kept all that passes, all of it was compared.
    return { ...found, isSure: found.isSure || kept.rows.length >= passed };
  }

  encode(writer: SectionWriter): void {
    const { share, bits, usual, recall } = this.probing ?? { share: 0, bits: 0, usual: 0, recall: 0 };
    for (const number of [this.rows, share, bits, usual, recall]) writer.number(number);
    this.#centroids.encode(writer);
    writer.array(this.#lists.listOf);
  }

  /** Its lists are made anew: that takes less time than to read them. Null: there is no memory for it. @throws RangeError */
  static *decode(
    reader: SectionReader,
    vectors: VectorRows,
    documents: DocumentRows,
  ): Steps<InvertedFile | null> {
    const rows = yield* reader.number();
    const probing = {
      share: yield* reader.number(),
      bits: yield* reader.number(),
      usual: yield* reader.number(),
      recall: yield* reader.number(),
    };
    const file = new InvertedFile(vectors, yield* GroupedCentroids.decode(reader, vectors.shape), rows);
    if (probing.share > 0) file.probing = probing;
    return yield* file.overRows(vectors, documents, yield* reader.int32());
  }
}

/** Places of scores, highest first: so many at first, and others by and by. */
function* nearestFirst(scores: Float32Array, ordered: number): Generator<number, void, void> {
  let before = Number.POSITIVE_INFINITY;
  for (let end = ordered, done = 0; done < scores.length; end *= 2) {
    const last = end >= scores.length ? Number.NEGATIVE_INFINITY : nthHighest(scores.slice(), end - 1);
    const part: number[] = [];
    for (let i = 0; i < scores.length; i += 1) {
      const score = scores[i] ?? 0;
      if (score >= last && score < before) part.push(i);
    }
    part.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
    yield* part;
    done += part.length;
    before = last;
  }
}
