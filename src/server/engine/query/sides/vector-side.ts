import { Bitset } from '../../bits/bitset.ts';
import { drawnMax } from '../../documents/document-draw.ts';
import type { BestScored } from '../../lexical/text-scores.ts';
import type { Spread } from '../../merged-types.ts';
import { noteWork, type Steps } from '../../steps.ts';
import type { SearchQuery } from '../../types.ts';
import type { Compared, Nearest } from '../../vector/compared.ts';
import type { SearchParts } from '../search-parts.ts';
import type { SideOfVector } from './side.ts';
import { spreadOf } from './spread-of.ts';

/** What the spread is known from: as many as all of a draw have where each has four passages. */
const spreadRowsMax = 4 * drawnMax;

/** What is missed behind them holds none of the words: of documents that match, similarities are computed. */
const surelyInHybrid = 10;

/** Documents whose similarities are asked for in one go. */
const askedAtOnce = 512;

type Parts = Pick<SearchParts, 'documents' | 'vectors' | 'scratch'>;
type Asked = { vector: Float32Array } & Pick<SearchQuery, 'mode' | 'metric' | 'isExact'>;

/** The vector of a search: similarities, −Infinity where the document has no vector. Each is computed once. */
export class VectorSide implements SideOfVector {
  /** Documents that pass the filters. */
  readonly passes: Bitset;
  readonly #parts: Parts;
  readonly #compared: Compared[];
  readonly #isExact: boolean;
  /** So many of the nearest are looked for as surely as a search by meaning finds them. */
  readonly #surely: number;
  #nearest: Nearest = { ordinals: new Int32Array(0), similarities: new Float64Array(0) };
  /** How many of the nearest were asked for. */
  #asked = 0;
  /** By ordinal, of the documents that are known. */
  readonly #similarities: Float64Array;
  readonly #known: Bitset;

  constructor(parts: Parts, { mode, vector, metric, isExact }: Asked, passes: Bitset) {
    this.#parts = parts;
    this.#compared = parts.vectors.compared(vector, metric);
    this.#isExact = isExact;
    this.#surely = mode === 'hybrid' ? surelyInHybrid : Number.POSITIVE_INFINITY;
    this.passes = passes;
    const { capacity } = parts.documents;
    this.#similarities = parts.scratch.numbers('similarities', capacity);
    this.#known = new Bitset(capacity);
  }

  /** The `count` nearest; asked again, for as many or fewer, they are not looked for again. */
  *nearest(count: number): Steps<Nearest> {
    if (count > this.#asked) {
      const { vectors, documents } = this.#parts;
      const { passes } = this;
      const surely = Math.min(count, this.#surely);
      const asked = { passes, k: count, surely, isBefore: documents.isBefore, isExact: this.#isExact };
      this.#nearest = yield* vectors.nearest(this.#compared, asked);
      this.#know(this.#nearest.ordinals, this.#nearest.similarities);
      this.#asked = count;
    }
    const { ordinals, similarities } = this.#nearest;
    return { ordinals: ordinals.subarray(0, count), similarities: similarities.subarray(0, count) };
  }

  *best(count: number): Steps<BestScored> {
    const { ordinals, similarities } = yield* this.nearest(count);
    return { ordinals, scores: similarities };
  }

  *scoresOf(ordinals: Int32Array, similarities: Float64Array): Steps<void> {
    const missing = new Int32Array(Math.min(askedAtOnce, ordinals.length));
    const found = new Float64Array(missing.length);
    for (let from = 0; from < ordinals.length; from += askedAtOnce) {
      const to = Math.min(from + askedAtOnce, ordinals.length);
      let count = 0;
      for (let place = from; place < to; place += 1) {
        const ordinal = ordinals[place] ?? 0;
        if (this.#known.has(ordinal)) continue;
        missing[count] = ordinal;
        count += 1;
      }
      const unknown = missing.subarray(0, count);
      yield* this.#parts.vectors.similaritiesOf(this.#compared, unknown, found);
      this.#know(unknown, found);
      for (let place = from; place < to; place += 1)
        similarities[place] = this.#similarities[ordinals[place] ?? 0] ?? Number.NEGATIVE_INFINITY;
      noteWork(to - from);
    }
  }

  #know(ordinals: Int32Array, similarities: Float64Array): void {
    for (let i = 0; i < ordinals.length; i += 1) {
      this.#known.add(ordinals[i] ?? 0);
      this.#similarities[ordinals[i] ?? 0] = similarities[i] ?? 0;
    }
  }

  /** From the similarities of documents that are drawn, each as near as its nearest passage. */
  *spread(): Steps<Spread> {
    const { documents, vectors } = this.#parts;
    const limit = { rowsOf: (ordinal: number) => vectors.countOf(ordinal), rowsMax: spreadRowsMax };
    const { ordinals, weight } = yield* documents.drawn(limit);
    const similarities = new Float64Array(ordinals.length);
    yield* this.scoresOf(ordinals, similarities);
    return spreadOf(similarities, weight);
  }

  similarityOf(ordinal: number): number {
    if (this.#known.has(ordinal)) return this.#similarities[ordinal] ?? 0;
    return this.#parts.vectors.bestPassage(this.#compared, ordinal).similarity;
  }

  /** The passage that makes the similarity; −1: the document has no vector. */
  passageOf(ordinal: number): number {
    return this.#parts.vectors.bestPassage(this.#compared, ordinal).passage;
  }
}
