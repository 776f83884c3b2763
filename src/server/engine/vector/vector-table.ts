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
import { candidateDocuments, type Scan } from './candidate-documents.ts';
import type { BestPassage, Compared, Nearest, NearestAsked } from './compared.ts';
import { DocumentRows, NONE } from './document-rows.ts';
import { buildFile } from './lists/build-file.ts';
import { InvertedFile } from './lists/inverted-file.ts';
import {
  type Found,
  measureProbing,
  measureRecall,
  type Recall,
  type Sample,
  sampledRows,
  truthsOf,
} from './measure-recall.ts';
import { RowQuery, writeQuery } from './nearest-rows.ts';
import type { ScanStats } from './scan-stats.ts';
import { inverseNorm } from './similarity.ts';
import { VectorRows } from './vector-rows.ts';

/** Of the rotation. */
const seed = 0x5eed;
/** So few documents are compared exactly and nothing else. */
const exactMax = 256;
/** The truth of a larger table is what a scan of its bytes finds: exact figures would take seconds. */
const exactTruthMax = 1 << 15;
/** Of one sample in so many it is exact all the same: bytes that tell nothing would agree with themselves. */
const exactTruthEvery = 16;
/** Units of work to find a document's rows, and a quarter of one for each component. */
const ordinalUnits = 8;
const componentsOfUnit = 4;
/** Ordinals that are looked at in one go. */
const ordinalsAtOnce = 1 << 12;
/** Above it a table has an inverted file. */
const listsRowsMin = 1 << 18;
/** Components of a table that is measured at once: some ten milliseconds. */
const measuredAtOnce = 1 << 18;
/** Pauses of its making behind each write: about half a millisecond. */
const pausesOfSettle = 10;

export class VectorTable {
  readonly #dimension: number;
  readonly #metric: Metric;
  readonly #listsRowsMin: number;
  #vectors: VectorRows;
  #documents = new DocumentRows();
  #recall: Recall = { rows: 0, recall: 1, bits: null, usual: 0, isExact: false };
  /** By row: inverse norms, kept for cosine only. */
  #scale = new Float64Array(8);

  /** What searches read, and what is being made. */
  #file: InvertedFile | null = null;
  #fileInMaking: InvertedFile | null = null;
  #making: Steps<void> | null = null;

  /** `listsMin`: rows from which on it has an inverted file. */
  constructor(dimension: number, metric: Metric, listsMin = listsRowsMin) {
    this.#dimension = dimension;
    this.#metric = metric;
    this.#listsRowsMin = listsMin;
    this.#vectors = new VectorRows(dimension, seed);
  }

  get vectorCount(): number {
    return this.#documents.used;
  }

  get memoryBytes(): number {
    const files = (this.#file?.memoryBytes ?? 0) + (this.#fileInMaking?.memoryBytes ?? 0);
    return this.#documents.memoryBytes + this.#scale.byteLength + this.#vectors.memoryBytes + files;
  }

  get scanned(): ScanStats {
    const { bits, recall, isExact } = this.#recall;
    if (!this.#vectors.hasCodes || isExact) return { scan: 'exact', recall: 1 };
    const probing = this.#file?.probing;
    if (probing) return { scan: 'lists', recall: probing.recall };
    return { scan: bits === null ? 'int8' : 'bits', recall };
  }

  /** `vectors` holds whole rows; `spans` three numbers a row, or none. @throws RangeError where there is no memory */
  *add(ordinal: number, vectors: Float32Array, spans: Int32Array): Steps<void> {
    let before = NONE;
    for (let passage = 0; (passage + 1) * this.#dimension <= vectors.length; passage += 1) {
      const row = yield* this.#reserveRow();
      const vector = vectors.subarray(passage * this.#dimension, (passage + 1) * this.#dimension);
      this.#vectors.write(row, vector);
      if (this.#metric === 'cosine') this.#scale[row] = inverseNorm(vector);
      this.#documents.add({ ordinal, passage, before, spans });
      this.#list(row, ordinal);
      before = row;
      if (isPauseDue(this.#dimension * (this.#vectors.hasCodes ? 16 : 1))) yield;
    }
  }

  /** A row that was written. */
  #list(row: number, ordinal: number): void {
    for (const file of [this.#file, this.#fileInMaking]) {
      if (file === null) continue;
      noteWork(file.writeUnits);
      if (file.write(row, ordinal)) continue;
      // Without room for a row it would miss it: all rows are scanned until there is another file.
      if (file === this.#file) this.#file = null;
      else this.#endMaking();
    }
  }

  remove(ordinal: number): void {
    for (const row of this.#documents.remove(ordinal)) {
      this.#file?.remove(row);
      this.#fileInMaking?.remove(row);
    }
  }

  has(ordinal: number): boolean {
    return this.#documents.firstOf(ordinal) !== NONE;
  }

  /** Vectors of a document. */
  countOf(ordinal: number): number {
    let count = 0;
    for (let row = this.#documents.firstOf(ordinal); row !== NONE; row = this.#documents.after(row))
      count += 1;
    return count;
  }

  vectorsOf(ordinal: number): Float32Array {
    const rows = this.#documents.of(ordinal);
    const vectors = new Float32Array(rows.length * this.#dimension);
    rows.forEach((row, i) => {
      vectors.set(this.#vectors.view(row), i * this.#dimension);
    });
    return vectors;
  }

  /** Of its first passage; of no components: it has none. To be read before anything is written. */
  firstVectorOf(ordinal: number): Float32Array {
    const row = this.#documents.firstOf(ordinal);
    return row === NONE ? new Float32Array(0) : this.#vectors.view(row);
  }

  spansOf(ordinal: number): Int32Array {
    return this.#documents.spansOf(ordinal);
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
    const { bits, usual, isExact } = this.#recall;
    // Bits and lists tell directions: that they suffice was measured for the table's own metric.
    const isOwn = compared.every(({ metric }) => metric === this.#metric);
    const file = this.#file;
    const lists = isOwn && file?.probing ? { file, probing: file.probing } : null;
    const scan = { isExact: asked.isExact || isExact, bits: isOwn ? bits : null, usual, lists };
    return (yield* this.#nearest(compared, asked, scan)).nearest;
  }

  *#nearest(compared: Compared[], asked: Omit<NearestAsked, 'isExact'>, scan: Scan): Steps<Found> {
    const { passes, k, isBefore } = asked;
    const top = new TopK(k, isBefore);
    const offer = (ordinal: number) => {
      const { similarity } = this.bestPassage(compared, ordinal);
      if (similarity > Number.NEGATIVE_INFINITY) top.offer(ordinal, similarity);
    };
    const found =
      scan.isExact || !this.#vectors.hasCodes || !passes.hasMoreThan(exactMax)
        ? null
        : yield* candidateDocuments({ vectors: this.#vectors, documents: this.#documents }, compared, {
            ...asked,
            scan,
          });
    if (k > 0 && found === null) yield* passes.visitDear(offer);
    for (const ordinal of found?.documents ?? []) {
      if (k > 0) offer(ordinal);
      if (isPauseDue(ordinalUnits)) yield;
    }
    const { ordinals, scores } = yield* top.sorted();
    const { wasWidened, farthest } = found ?? { wasWidened: false, farthest: 0 };
    return { nearest: { ordinals, similarities: scores }, wasWidened, farthest, wereAll: found === null };
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
    for (let row = this.#documents.firstOf(ordinal); row !== NONE; row = this.#documents.after(row)) {
      for (const each of compared) {
        const similarity = this.#similarity(each, row);
        if (similarity <= best.similarity) continue;
        best.similarity = similarity;
        best.passage = this.#documents.passageOf(row);
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

  /** To be run once the table has changed: a part of what is due, and all of it where that takes little or nothing is known of the table yet. */
  *settle(): Steps<void> {
    if (this.#making === null && !this.#isDue) return;
    const rows = this.vectorCount;
    const isAtOnce = this.#recall.rows === 0 || rows * this.#dimension <= measuredAtOnce;
    if (isAtOnce && rows < this.#listsRowsMin) {
      this.#endMaking();
      return yield* this.#make();
    }
    for (let pause = 0; pause < pausesOfSettle && this.upkeep(1); pause += 1) yield;
  }

  /**
   * What is done beside searches and writes: the recall is measured when there are twice as many rows as it was measured for, and a large table gets an inverted file.
   * Searches and writes may come between two calls.
   * @returns whether there is more to do
   */
  upkeep(pauses: number): boolean {
    for (let pause = 0; pause < pauses; pause += 1) {
      if (this.#making === null && !this.#isDue) return false;
      this.#making ??= this.#make();
      if (this.#making.next().done) this.#endMaking();
    }
    return this.#making !== null || this.#isDue;
  }

  get #isDue(): boolean {
    const rows = this.vectorCount;
    const measured = this.#recall.rows;
    if (!this.#vectors.hasCodes || rows === 0) return false;
    return rows >= 2 * measured || (rows >= this.#listsRowsMin && measured < this.#listsRowsMin);
  }

  #endMaking(): void {
    this.#making = null;
    this.#fileInMaking = null;
  }

  *#make(): Steps<void> {
    const began = (file: InvertedFile) => {
      this.#fileInMaking = file;
    };
    const isLarge = this.vectorCount >= this.#listsRowsMin;
    const file = isLarge ? yield* buildFile(this.#vectors, this.#documents, began) : null;
    yield* this.#measure(file);
    this.#file = file?.probing ? file : null;
  }

  /** How all rows are scanned, and how the lists of a file are. */
  *#measure(file: InvertedFile | null): Steps<void> {
    const rows = this.vectorCount;
    const usual = Number.POSITIVE_INFINITY; // What is measured is what is usual.
    const all = new Bitset(this.#documents.ordinals);
    for (let ordinal = 0; ordinal < this.#documents.ordinals; ordinal += 1) {
      if (this.has(ordinal)) all.add(ordinal);
      if (ordinal % ordinalsAtOnce === 0 && isPauseDue(ordinalsAtOnce)) yield;
    }
    const found = (sample: Sample, k: number, scan: Scan) => this.#others(sample, { all, k }, scan);
    const truths = yield* truthsOf(this.#samples(), function* (sample, k, place) {
      const isExact = rows <= exactTruthMax || place % exactTruthEvery === 0;
      return (yield* found(sample, isExact ? k : 16 * k, { isExact, bits: null, usual, lists: null }))
        .nearest;
    });
    const known = { truths, isLiving: (ordinal: number) => this.has(ordinal) };
    const recall = yield* measureRecall({ rows, truths: known }, (sample, k, bits) =>
      found(sample, k, { isExact: false, bits, usual, lists: null }),
    );
    if (file !== null && !recall.isExact)
      file.probing = yield* measureProbing(known, (sample, k, probing) =>
        found(sample, k, { isExact: false, bits: recall.bits, usual, lists: { file, probing } }),
      );
    this.#recall = recall;
  }

  #samples(): Sample[] {
    return sampledRows(this.#documents.rows).flatMap((row) => {
      const own = this.#documents.ownerOf(row);
      return own === NONE ? [] : [{ vector: this.#vectors.view(row).slice(), own }];
    });
  }

  /** The nearest other documents of a sample; those that a scan of bytes finds among many stand for the exact ones. */
  *#others({ vector, own }: Sample, { all, k }: { all: Bitset; k: number }, scan: Scan): Steps<Found> {
    const compared = this.compared(vector, null);
    all.remove(own);
    const found = yield* this.#nearest(compared, { passes: all, k, isBefore: (a, b) => a < b }, scan);
    all.add(own);
    return found;
  }

  /** The vectors of documents that get new ordinals (−1: it gets none). Between two steps documents may come and go: one that went may lack vectors. */
  *compacted(ordinals: Int32Array): Steps<VectorTable> {
    const table = new VectorTable(this.#dimension, this.#metric, this.#listsRowsMin);
    const file = this.#file;
    // By row of the new table.
    const listOf = new Int32Array(file === null ? 0 : this.vectorCount).fill(NONE);
    for (const [ordinal, moved] of ordinals.entries()) {
      if (moved === NONE) continue;
      const spans = this.#documents.spansOf(ordinal);
      let before = NONE;
      for (const [passage, source] of this.#documents.of(ordinal).entries()) {
        const row = yield* table.#reserveRow();
        table.#vectors.copy(row, this.#vectors, source);
        if (this.#metric === 'cosine') table.#scale[row] = this.#scale[source] ?? 0;
        table.#documents.add({ ordinal: moved, passage, before, spans });
        if (file !== null) listOf[row] = file.listOf(source);
        before = row;
      }
      if (isPauseDue(ordinalUnits + this.#dimension)) yield;
    }
    table.#recall = this.#recall;
    if (file !== null && file === this.#file && table.#vectors.hasCodes)
      table.#file = yield* file.overRows(table.#vectors, table.#documents, listOf);
    return table;
  }

  encode(writer: SectionWriter): void {
    writer.number(this.#recall.rows);
    writer.number(this.#recall.recall);
    writer.number(this.#recall.bits ?? 0);
    writer.number(this.#recall.usual);
    writer.number(Number(this.#recall.isExact));
    this.#documents.encode(writer);
    const { rows } = this.#documents;
    writer.array(this.#scale.subarray(0, this.#metric === 'cosine' ? rows : 0));
    this.#vectors.encode(writer, rows);
    writer.number(Number(this.#file !== null));
    this.#file?.encode(writer);
  }

  static *decode(reader: SectionReader, dimension: number, metric: Metric): Steps<VectorTable> {
    const table = new VectorTable(dimension, metric);
    table.#recall = {
      rows: yield* reader.number(),
      recall: yield* reader.number(),
      bits: (yield* reader.number()) || null,
      usual: yield* reader.number(),
      isExact: (yield* reader.number()) === 1,
    };
    table.#documents = yield* DocumentRows.decode(reader);
    table.#scale = yield* reader.float64();
    yield* table.#vectors.decode(reader, table.#documents.rows);
    if ((yield* reader.number()) === 1)
      table.#file = yield* InvertedFile.decode(reader, table.#vectors, table.#documents);
    return table;
  }

  /** The row that is added next, with room for it. */
  *#reserveRow(): Steps<number> {
    const row = this.#documents.nextRow;
    const { rows } = this.#documents;
    if (row === rows && !this.#vectors.hasRoom(row)) yield* this.#vectors.reserve(row + 1, row);
    if (this.#metric === 'cosine') this.#scale = withRoom(this.#scale, row + 1);
    return row;
  }
}
