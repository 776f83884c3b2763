/**
 * The documents that hold a word of a query, ascending, in blocks of 128: how often each holds it, weighted, and how. Of one term alone they
 * are its postings, read block by block where they are needed and once in a search; where several terms stand for the word they are merged
 * first (`holder-sums.ts`).
 */
import { noSteps, type Steps } from '../steps.ts';
import { saturation } from './bm25.ts';
import { blockPostings, type Postings } from './postings.ts';

/** How a document holds a word; several together. */
export const held = {
  /** As typed, as a synonym, or as the beginning of a longer word. */
  exactly: 1,
  /** So, or where nobody holds it so, as a word one typo away. */
  surely: 2,
  /** It covers the whole of the word's weight. */
  whole: 4,
} as const;
export const inAllWays = held.exactly | held.surely | held.whole;

/** What a document earns of a word's weight is told from. */
export interface Measure {
  k1: number;
  b: number;
  /** What frequencies are divided by. */
  largestShare: number;
  meanLength: number;
  /** Weighted words of a document. */
  lengthOf(ordinal: number): number;
  /** Whether that is not less than its words are. */
  countsAll: boolean;
}

export interface HolderList {
  /** Dead documents too. */
  readonly length: number;
  readonly blocks: number;
  /** How all its documents hold the word; null: some otherwise than others. */
  readonly ways: number | null;
  /** A bit for each document; null: they are in no set. */
  readonly words: Uint32Array | null;
  /** By place, as far as the blocks were read. */
  readonly ordinals: Int32Array;
  /** The first block from `block` on whose last ordinal is not before `ordinal`; `blocks`: there is none. */
  seek(block: number, ordinal: number): number;
  /** Reads the ordinals of a block, if that was not done before. */
  read(block: number): void;
  /** Of the document at a place whose block was read. */
  frequencyAt(place: number): number;
  /** The same of all documents of a block. */
  readFrequencies(block: number, into: Float64Array): void;
  waysAt(place: number): number;
  /** Makes `mostIn` exact where that is worth it. */
  prepare(measure: Measure): Steps<void>;
  /** No document of a block earns a larger share of the word's weight, 1 at most. */
  mostIn(block: number, measure: Measure): number;
}

const nobody = new Int32Array(0);

export const noHolders: HolderList = {
  length: 0,
  blocks: 0,
  ways: inAllWays,
  words: null,
  ordinals: nobody,
  seek: () => 0,
  read: () => undefined,
  frequencyAt: () => 0,
  readFrequencies: () => undefined,
  waysAt: () => 0,
  prepare: () => noSteps,
  mostIn: () => 0,
};

const formsRead = new Int32Array(blockPostings);

/** Of one term, in fields of which each counts. */
export class TermHolders implements HolderList {
  readonly length: number;
  readonly blocks: number;
  readonly ways: number;
  readonly words = null;
  readonly ordinals: Int32Array;
  readonly #postings: Postings;
  readonly #list: number;
  readonly #weights: Float64Array | null;
  readonly #share: number;
  readonly #mostWeight: number;
  readonly #isRead: Uint8Array;
  /** Of the last block, once one was asked for. */
  #lastForms: Int32Array | null = null;

  /** `ordinals`: what they are read into, with room for the list; `share`: of their frequencies what counts. */
  constructor(
    postings: Postings,
    { list, weights, ordinals }: { list: number; weights: Float64Array | null; ordinals: Int32Array },
    { ways, share } = { ways: inAllWays as number, share: 1 },
  ) {
    this.ways = ways;
    this.#share = share;
    this.length = postings.lengthOf(list);
    this.blocks = postings.blocksOf(list);
    this.ordinals = ordinals;
    this.#postings = postings;
    this.#list = list;
    this.#weights = weights;
    this.#mostWeight = weights === null ? 1 : Math.max(...weights);
    this.#isRead = new Uint8Array(this.blocks);
  }

  seek(block: number, ordinal: number): number {
    return this.#postings.seek(this.#list, block, ordinal);
  }

  read(block: number): void {
    if (this.#isRead[block] === 1) return;
    this.#postings.readOrdinals(this.#list, block, this.ordinals, block * blockPostings);
    this.#isRead[block] = 1;
  }

  frequencyAt(place: number): number {
    return this.#share * this.#postings.forms.frequency(this.#formAt(place), this.#weights);
  }

  readFrequencies(block: number, into: Float64Array): void {
    const { forms } = this.#postings;
    const weights = this.#weights;
    const count = Math.min(blockPostings, this.length - block * blockPostings);
    this.#postings.readForms(this.#list, block, formsRead);
    for (let i = 0; i < count; i += 1) into[i] = this.#share * forms.frequency(formsRead[i] ?? 0, weights);
  }

  waysAt(): number {
    return this.ways;
  }

  prepare(): Steps<void> {
    return noSteps;
  }

  /** Of the largest frequency in the block and its shortest document. Words of fields that count less than once may be fewer than all. */
  mostIn(block: number, measure: Measure): number {
    const frequency = this.#share * this.#mostWeight * this.#postings.frequencyBound(this.#list, block);
    if (frequency === Number.POSITIVE_INFINITY) return 1;
    const words = measure.countsAll ? this.#postings.lengthBound(this.#list, block) : 0;
    return saturation(frequency / measure.largestShare, words / measure.meanLength, measure);
  }

  #formAt(place: number): number {
    const block = place >>> 7;
    const within = place & (blockPostings - 1);
    if (block < this.blocks - 1) return this.#postings.formAt(this.#list, block, within);
    if (this.#lastForms === null) {
      this.#lastForms = new Int32Array(blockPostings);
      this.#postings.readForms(this.#list, block, this.#lastForms);
    }
    return this.#lastForms[within] ?? 0;
  }
}

/** Of several terms together, living documents alone. */
export class MergedHolders implements HolderList {
  readonly length: number;
  readonly blocks: number;
  readonly ways: number | null;
  readonly words = null;
  readonly ordinals: Int32Array;
  readonly #frequencies: Float64Array;
  readonly #ways: Uint8Array | null;

  /** `ways`: by place, or those of all. */
  constructor(ordinals: Int32Array, frequencies: Float64Array, ways: Uint8Array | number) {
    this.length = ordinals.length;
    this.blocks = Math.ceil(ordinals.length / blockPostings);
    this.ordinals = ordinals;
    this.#frequencies = frequencies;
    this.ways = typeof ways === 'number' ? ways : null;
    this.#ways = typeof ways === 'number' ? null : ways;
  }

  seek(block: number, ordinal: number): number {
    const ordinals = this.ordinals;
    let low = Math.min(block * blockPostings, ordinals.length);
    let high = ordinals.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ordinals[middle] ?? 0) < ordinal) low = middle + 1;
      else high = middle;
    }
    return low === ordinals.length ? this.blocks : low >>> 7;
  }

  read(): void {
    // They are all there.
  }

  frequencyAt(place: number): number {
    return this.#frequencies[place] ?? 0;
  }

  readFrequencies(block: number, into: Float64Array): void {
    into.set(this.#frequencies.subarray(block * blockPostings, (block + 1) * blockPostings));
  }

  waysAt(place: number): number {
    return this.ways ?? this.#ways?.[place] ?? 0;
  }

  prepare(): Steps<void> {
    return noSteps;
  }

  mostIn(): number {
    return 1;
  }
}
