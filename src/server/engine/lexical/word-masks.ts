/**
 * Which words of a query documents hold, as bits of a number: their mask. It is filled by the postings of one word after the other; what a document covers,
 * and the most that it can score, are sums that are looked up by it.
 *
 * The words are taken from the one that weighs most to the one that weighs least. Once all that are left weigh less than what a document must cover,
 * nobody else needs to be met, and a long list is only asked for those that can still reach it. Cost: a nanosecond or two for each posting that is read. Sources:
 * H. Turtle, J. Flood, "Query Evaluation: Strategies and Optimizations", 1995 (term at a time, MAXSCORE); J. Zobel, A. Moffat, "Inverted Files for
 * Text Search Engines", 2006, section 3 (accumulators).
 */
import { Bitset } from '../bits/bitset.ts';
import type { SearchScratch } from '../memory/search-scratch.ts';
import { isPauseDue, type Steps } from '../steps.ts';
import { HolderCursor } from './holder-cursor.ts';
import { type HolderList, held } from './holder-list.ts';
import { MaskSums, slack, slotsMax } from './mask-sums.ts';
import { blockPostings } from './postings.ts';
import type { WordHolders } from './word-reader.ts';

/** Of work, to come to a block, and to look for a document in a list. */
const blockUnits = 128;
const lookUnits = 16;
/** So many times longer than all before it, a list is only asked for those that it can make enough of. */
const longTimes = 4;
/** Words of a set, 32 documents each, that are read without a pause. */
const wordsAtOnce = 64;

/** A bit of masks: a way to hold a word. */
interface MaskSlot {
  word: WordHolders;
  /** What a document covers by it. */
  covered: number;
}

export interface MaskedDocuments {
  /** In the order of the query. */
  slots: MaskSlot[];
  /** Ascending. */
  ordinals: Int32Array;
  /** By their places. */
  masks: Int32Array;
}

/** A word's slot for those that hold it wholly, and for the others. */
interface SlottedWord {
  list: HolderList;
  whole: number;
  otherwise: number;
  /** What it covers at most. */
  most: number;
}

/**
 * Living documents that may cover `share` of what the best one covers, and some that do not; null: so many words have no masks. `known`: some document
 * covers so much, 0: that is not known.
 */
export function* maskedDocuments(
  words: readonly WordHolders[],
  { live, share, known, scratch }: { live: Bitset; share: number; known: number; scratch: SearchScratch },
): Steps<MaskedDocuments | null> {
  const slots: MaskSlot[] = [];
  const slotted: SlottedWord[] = [];
  for (const word of words) {
    const { list, weight } = word;
    if (list.blocks === 0) continue;
    const less = weight * word.otherwise;
    const isWhole = list.ways !== null && (list.ways & held.whole) !== 0;
    const whole = 1 << slots.length;
    slots.push({ word, covered: isWhole || list.ways === null ? weight : less });
    const otherwise = list.ways === null ? 1 << slots.length : whole;
    if (list.ways === null) slots.push({ word, covered: less });
    slotted.push({ list, whole, otherwise, most: Math.max(weight, less) });
  }
  if (slots.length > slotsMax) return null;
  const sums = new MaskSums(slots.map(({ covered }) => covered));
  const masks = new Masks({ live, share, known, sums, scratch });
  try {
    yield* masks.fill(slotted);
    return { slots, ...(yield* masks.reaching()) };
  } finally {
    masks.clear();
  }
}

class Masks {
  readonly #live: Bitset;
  readonly #share: number;
  readonly #sums: MaskSums;
  readonly #scratch: SearchScratch;
  /** By ordinal; 0 between searches. */
  readonly #masks: Int32Array;
  readonly #met: Bitset;
  /** Of what a document must cover, as far as it is known. */
  #least: number;

  constructor(of: { live: Bitset; share: number; known: number; sums: MaskSums; scratch: SearchScratch }) {
    this.#live = of.live;
    this.#share = of.share * slack;
    this.#sums = of.sums;
    this.#scratch = of.scratch;
    this.#least = of.known * this.#share;
    const capacity = of.live.words.length << 5;
    this.#masks = of.scratch.integers('masks', capacity);
    this.#met = new Bitset(capacity);
  }

  *fill(words: SlottedWord[]): Steps<void> {
    const sorted = words.toSorted((a, b) => b.most - a.most);
    let rest = sorted.reduce((sum, { most }) => sum + most, 0);
    let before = 0;
    for (const word of sorted) {
      const { length } = word.list;
      // Who holds none of the words so far cannot cover enough by those that are left.
      const isClosed = rest < this.#least;
      if (isClosed && length > longTimes * before)
        yield* this.#lookUp(word, (yield* this.#reaching(rest)).ordinals);
      else yield* this.#mark(word, isClosed);
      rest -= word.most;
      before += length;
    }
  }

  /** Those that may cover enough. */
  reaching(): Steps<{ ordinals: Int32Array; masks: Int32Array }> {
    return this.#reaching(0);
  }

  /** In one go: a search that is ended has no more steps. */
  clear(): void {
    const masks = this.#masks;
    this.#met.forEach((ordinal) => {
      masks[ordinal] = 0;
    });
  }

  *#mark({ list, whole, otherwise }: SlottedWord, isClosed: boolean): Steps<void> {
    const masks = this.#masks;
    const met = isClosed ? null : this.#met.words;
    for (let block = 0; block < list.blocks; block += 1) {
      list.read(block);
      const from = block * blockPostings;
      const to = Math.min(from + blockPostings, list.length);
      if (whole !== otherwise) markEach(list, { from, to, whole, otherwise }, masks, met);
      else if (met === null) markMet(list.ordinals, { from, to, bit: whole }, masks);
      else markAll(list.ordinals, { from, to, bit: whole }, masks, met);
      if (isPauseDue(blockUnits)) yield;
    }
  }

  *#lookUp({ list, whole, otherwise }: SlottedWord, among: Int32Array): Steps<void> {
    const masks = this.#masks;
    const cursor = new HolderCursor().open(list);
    for (let i = 0; i < among.length; i += 1) {
      const ordinal = among[i] ?? 0;
      cursor.advance(ordinal);
      if (cursor.ordinal !== ordinal) continue;
      const isWhole = whole === otherwise || (cursor.ways & held.whole) !== 0;
      masks[ordinal] = (masks[ordinal] ?? 0) | (isWhole ? whole : otherwise);
      if (isPauseDue(lookUnits)) yield;
    }
  }

  /** Those that may cover enough by so much more. */
  *#reaching(rest: number): Steps<{ ordinals: Int32Array; masks: Int32Array }> {
    const ordinals = this.#scratch.list(this.#met.count());
    let count = 0;
    const { length } = this.#met.words;
    for (let from = 0; from < length; from += wordsAtOnce) {
      count = this.#collect({ from, to: Math.min(from + wordsAtOnce, length), rest }, ordinals, count);
      if (isPauseDue(wordsAtOnce)) yield;
    }
    const all = this.#masks;
    const masks = new Int32Array(count);
    let kept = 0;
    for (let i = 0; i < count; i += 1) {
      const ordinal = ordinals[i] ?? 0;
      const mask = all[ordinal] ?? 0;
      if (this.#sums.of(mask) + rest < this.#least) continue;
      ordinals[kept] = ordinal;
      masks[kept] = mask;
      kept += 1;
    }
    if (isPauseDue(count)) yield;
    return { ordinals: ordinals.slice(0, kept), masks: masks.subarray(0, kept) };
  }

  /** Of words of a set; answers how many there are then. The threshold rises with what is met. */
  #collect(words: { from: number; to: number; rest: number }, into: Int32Array, size: number): number {
    const met = this.#met.words;
    const live = this.#live.words;
    const masks = this.#masks;
    const sums = this.#sums;
    const share = this.#share;
    const { from, to, rest } = words;
    let least = this.#least;
    let count = size;
    for (let at = from; at < to; at += 1) {
      for (let word = (met[at] ?? 0) & (live[at] ?? 0); word !== 0; word &= word - 1) {
        const ordinal = (at << 5) | (31 - Math.clz32(word & -word));
        const sum = sums.of(masks[ordinal] ?? 0);
        if (sum + rest < least) continue;
        if (sum * share > least) least = sum * share;
        into[count] = ordinal;
        count += 1;
      }
    }
    this.#least = least;
    return count;
  }
}

interface Places {
  from: number;
  to: number;
  bit: number;
}

function markAll(ordinals: Int32Array, { from, to, bit }: Places, masks: Int32Array, met: Uint32Array): void {
  for (let place = from; place < to; place += 1) {
    const ordinal = ordinals[place] ?? 0;
    const mask = masks[ordinal] ?? 0;
    if (mask === 0) met[ordinal >>> 5] = (met[ordinal >>> 5] ?? 0) | (1 << (ordinal & 31));
    masks[ordinal] = mask | bit;
  }
}

function markMet(ordinals: Int32Array, { from, to, bit }: Places, masks: Int32Array): void {
  for (let place = from; place < to; place += 1) {
    const ordinal = ordinals[place] ?? 0;
    const mask = masks[ordinal] ?? 0;
    if (mask !== 0) masks[ordinal] = mask | bit;
  }
}

/** Of a word that some hold otherwise than others. */
function markEach(
  list: HolderList,
  { from, to, whole, otherwise }: Omit<Places, 'bit'> & Pick<SlottedWord, 'whole' | 'otherwise'>,
  masks: Int32Array,
  met: Uint32Array | null,
): void {
  for (let place = from; place < to; place += 1) {
    const ordinal = list.ordinals[place] ?? 0;
    const mask = masks[ordinal] ?? 0;
    if (mask === 0 && met === null) continue;
    if (mask === 0 && met !== null) met[ordinal >>> 5] = (met[ordinal >>> 5] ?? 0) | (1 << (ordinal & 31));
    masks[ordinal] = mask | ((list.waysAt(place) & held.whole) !== 0 ? whole : otherwise);
  }
}
