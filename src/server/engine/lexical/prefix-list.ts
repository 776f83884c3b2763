/**
 * The documents that hold a beginning or a word that begins so, kept for the next search: a bit for each document, and how often it holds them.
 * Grows with the index: ordinals only ever come behind those that are there. Of documents that died since they are still there.
 */
import type { Bitset } from '../bits/bitset.ts';
import { popcount } from '../bits/popcount.ts';
import type { SearchScratch } from '../memory/search-scratch.ts';
import { withRoom } from '../memory/with-room.ts';
import { isPauseDue, type Steps } from '../steps.ts';
import { saturation } from './bm25.ts';
import { type HolderList, inAllWays, type Measure } from './holder-list.ts';
import { blockPostings } from './postings.ts';

/** Different frequencies that a byte tells apart, and two. */
const byteCodes = 1 << 8;
const codesMax = 1 << 16;
/** How much longer documents may become on average until it is found anew what those of a block earn. */
const longerMax = 1.02;
/** Of work, to find what a document earns. */
const measureUnits = 8;

type Measured = Omit<Measure, 'lengthOf' | 'countsAll'>;

export class PrefixList {
  /** Terms whose documents are there. */
  exact: { readonly own: number; readonly longer: Int32Array };
  /** Up to this ordinal. */
  upTo = 0;
  length = 0;
  /** Postings that were read for it. */
  cost = 0;
  /** A bit for each document. */
  words = new Uint32Array(0);
  /** By place: which of the different frequencies it is. */
  #codes: Uint8Array | Uint16Array = new Uint8Array(0);
  #values = new Float64Array(0);
  readonly #codeOf = new Map<number, number>();
  // By block: its first ordinal, and what a document of it earns at most of the word's weight.
  #starts = new Int32Array(0);
  #most = new Float64Array(0);
  /** What that is told from, and of how many documents, the first ones. */
  #measured: Measured | null = null;
  #measuredLength = 0;

  constructor(exact: PrefixList['exact']) {
    this.exact = exact;
  }

  /** It has more different frequencies than can be told apart: nothing may be read. */
  get isTooVaried(): boolean {
    return this.#codeOf.size >= codesMax;
  }

  get bytes(): number {
    const arrays = [this.words, this.#codes, this.#values, this.#starts, this.#most];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Makes room for so many more documents, up to this ordinal. */
  reserve(documents: number, capacity: number): void {
    const blocks = Math.ceil((this.length + documents) / blockPostings);
    this.words = withRoom(this.words, (capacity + 31) >>> 5);
    this.#codes = withRoom(this.#codes, this.length + documents);
    this.#starts = withRoom(this.#starts, blocks);
    this.#most = withRoom(this.#most, blocks);
  }

  /** The next document; there is room for it. */
  push(ordinal: number, frequency: number): void {
    const place = this.length;
    this.length += 1;
    this.words[ordinal >>> 5] = (this.words[ordinal >>> 5] ?? 0) | (1 << (ordinal & 31));
    this.#codes[place] = this.#codeFor(frequency);
    if ((place & (blockPostings - 1)) === 0) this.#starts[place >>> 7] = ordinal;
  }

  /**
   * Finds what a document of each block earns at most. That takes as long as to look at all of them once, and is kept while the parameters are the
   * same and documents are hardly longer or shorter on average; documents that came since are looked at. Longer ones on average make each
   * earn more, so it is found for some that are a little longer than they are.
   */
  *measure(measure: Measure): Steps<void> {
    const { k1, b, largestShare, meanLength } = measure;
    const known = this.#measured;
    const isAlike = known !== null && known.k1 === k1 && known.b === b && known.largestShare === largestShare;
    if (!isAlike || meanLength > known.meanLength || meanLength * longerMax ** 2 < known.meanLength) {
      this.#measured = { k1, b, largestShare, meanLength: meanLength * longerMax };
      this.#measuredLength = 0;
    }
    if (this.#measuredLength === this.length) return;
    const ordinals = new Int32Array(blockPostings);
    for (let block = this.#measuredLength >>> 7; block < this.blocks; block += 1) {
      const first = block * blockPostings;
      const count = this.readOrdinals(block, ordinals);
      this.#most[block] = this.#mostOf(ordinals.subarray(0, count), first, measure);
      this.#measuredLength = first + count;
      if (isPauseDue(count * measureUnits)) yield;
    }
  }

  #mostOf(ordinals: Int32Array, first: number, { lengthOf }: Measure): number {
    const measured = this.#measured;
    if (measured === null) return 1;
    let most = 0;
    for (let i = 0; i < ordinals.length; i += 1) {
      const frequency = this.frequencyAt(first + i) / measured.largestShare;
      const ratio = lengthOf(ordinals[i] ?? 0) / measured.meanLength;
      most = Math.max(most, saturation(frequency, ratio, measured));
    }
    return most;
  }

  /** As `measure` has found it; 1: it has not. */
  mostIn(block: number): number {
    const end = Math.min((block + 1) * blockPostings, this.length);
    return end <= this.#measuredLength ? (this.#most[block] ?? 1) : 1;
  }

  /** The ordinals of a block, ascending, to `from` on; answers how many they are. */
  readOrdinals(block: number, into: Int32Array, from = 0): number {
    const { words } = this;
    const start = this.startOf(block);
    const count = Math.min(blockPostings, this.length - block * blockPostings);
    let at = start >>> 5;
    let word = (words[at] ?? 0) & (-1 << (start & 31));
    for (let i = 0; i < count; i += 1) {
      while (word === 0) {
        at += 1;
        word = words[at] ?? 0;
      }
      const lowest = word & -word;
      into[from + i] = (at << 5) | (31 - Math.clz32(lowest));
      word ^= lowest;
    }
    return count;
  }

  /** How many of them are in a set. */
  countIn({ words }: Bitset): number {
    const shared = Math.min(words.length, this.words.length);
    let count = 0;
    for (let i = 0; i < shared; i += 1) count += popcount((words[i] ?? 0) & (this.words[i] ?? 0));
    return count;
  }

  /** For one search. */
  holders(scratch: SearchScratch): HolderList {
    return new PrefixHolders(this, scratch.list(this.length));
  }

  get blocks(): number {
    return Math.ceil(this.length / blockPostings);
  }

  frequencyAt(place: number): number {
    return this.#values[this.#codes[place] ?? 0] ?? 0;
  }

  startOf(block: number): number {
    return this.#starts[block] ?? 0;
  }

  #codeFor(frequency: number): number {
    const known = this.#codeOf.get(frequency);
    if (known !== undefined) return known;
    const code = this.#codeOf.size;
    if (code === codesMax) return 0;
    if (code === byteCodes) this.#codes = Uint16Array.from(this.#codes);
    this.#codeOf.set(frequency, code);
    this.#values = withRoom(this.#values, code + 1);
    this.#values[code] = frequency;
    return code;
  }
}

class PrefixHolders implements HolderList {
  readonly length: number;
  readonly blocks: number;
  readonly ways = inAllWays;
  readonly words: Uint32Array;
  readonly ordinals: Int32Array;
  readonly #list: PrefixList;
  readonly #isRead: Uint8Array;

  constructor(list: PrefixList, ordinals: Int32Array) {
    this.length = list.length;
    this.blocks = list.blocks;
    this.words = list.words;
    this.ordinals = ordinals;
    this.#list = list;
    this.#isRead = new Uint8Array(list.blocks);
  }

  /** The last block that begins at or before the ordinal, unless all of it is before. */
  seek(block: number, ordinal: number): number {
    let low = block;
    let high = this.blocks;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#list.startOf(middle) <= ordinal) low = middle + 1;
      else high = middle;
    }
    if (low === block) return block;
    this.read(low - 1);
    const last = Math.min(low * blockPostings, this.length) - 1;
    return (this.ordinals[last] ?? 0) < ordinal ? low : low - 1;
  }

  read(block: number): void {
    if (this.#isRead[block] === 1) return;
    this.#isRead[block] = 1;
    this.#list.readOrdinals(block, this.ordinals, block * blockPostings);
  }

  frequencyAt(place: number): number {
    return this.#list.frequencyAt(place);
  }

  readFrequencies(block: number, into: Float64Array): void {
    const start = block * blockPostings;
    const count = Math.min(blockPostings, this.length - start);
    for (let i = 0; i < count; i += 1) into[i] = this.#list.frequencyAt(start + i);
  }

  waysAt(): number {
    return inAllWays;
  }

  prepare(measure: Measure): Steps<void> {
    return this.#list.measure(measure);
  }

  mostIn(block: number): number {
    return this.#list.mostIn(block);
  }
}
