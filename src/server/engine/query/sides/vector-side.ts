import type { Bitset } from '../../bits/bitset.ts';
import { drawnMax } from '../../documents/document-draw.ts';
import type { Spread } from '../../merged-types.ts';
import type { Steps } from '../../steps.ts';
import type { SearchQuery } from '../../types.ts';
import type { Compared, Nearest } from '../../vector/compared.ts';
import type { SearchParts } from '../search-parts.ts';
import type { SideOfVector } from './side.ts';
import { spreadOf } from './spread-of.ts';

/** What the spread is known from: as many as all of a draw have where each has four passages. */
const spreadRowsMax = 4 * drawnMax;

/** The vector of a search: similarities, −Infinity where the document has no vector. */
export class VectorSide implements SideOfVector {
  /** Documents that pass the filters. */
  readonly passes: Bitset;
  readonly #parts: Pick<SearchParts, 'documents' | 'vectors'>;
  readonly #compared: Compared[];
  readonly #isExact: boolean;
  #nearest: Nearest = { ordinals: new Int32Array(0), similarities: new Float64Array(0) };
  /** How many of the nearest were asked for. */
  #asked = 0;

  constructor(
    parts: Pick<SearchParts, 'documents' | 'vectors'>,
    { vector, metric, isExact }: { vector: Float32Array } & Pick<SearchQuery, 'metric' | 'isExact'>,
    passes: Bitset,
  ) {
    this.#parts = parts;
    this.#compared = parts.vectors.compared(vector, metric);
    this.#isExact = isExact;
    this.passes = passes;
  }

  /** The `count` nearest; asked again, for as many or fewer, they are not looked for again. */
  *nearest(count: number): Steps<Nearest> {
    if (count > this.#asked) {
      const { vectors, documents } = this.#parts;
      const { passes } = this;
      const asked = { passes, k: count, isBefore: documents.isBefore, isExact: this.#isExact };
      this.#nearest = yield* vectors.nearest(this.#compared, asked);
      this.#asked = count;
    }
    const { ordinals, similarities } = this.#nearest;
    return { ordinals: ordinals.subarray(0, count), similarities: similarities.subarray(0, count) };
  }

  *best(count: number): Steps<Int32Array> {
    return (yield* this.nearest(count)).ordinals;
  }

  scoresOf(ordinals: Int32Array, similarities: Float64Array): Steps<void> {
    return this.#parts.vectors.similaritiesOf(this.#compared, ordinals, similarities);
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
    return this.#parts.vectors.bestPassage(this.#compared, ordinal).similarity;
  }

  /** The passage that makes the similarity; −1: the document has no vector. */
  passageOf(ordinal: number): number {
    return this.#parts.vectors.bestPassage(this.#compared, ordinal).passage;
  }
}
