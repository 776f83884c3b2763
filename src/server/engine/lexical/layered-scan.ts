/**
 * Finds the documents for which the sum of what their words add can reach a threshold, without looking at all that hold a word. The words are
 * taken from the one that can add most to the one that can add least: a document that was not met holds none of the words so far, so once
 * all that are left cannot reach the threshold together nobody else needs to be met. A document that was met is dropped as soon as what it has and what
 * is left cannot reach it. The threshold may rise meanwhile; so that it is high early, the blocks of the first word in which a document can have most
 * are looked at first.
 *
 * Cost: the holders of the words that can make a difference, a thousand at a time, and a look into the lists of the other words for those that are not
 * dropped. Source: H. Turtle, J. Flood, "Query Evaluation: Strategies and Optimizations", 1995 (MAXSCORE); the sums here decide
 * nothing but what is looked at, so the order of additions does not matter.
 */
import { Bitset } from '../bits/bitset.ts';
import { TopK } from '../bits/top-k.ts';
import { isPauseDue, type Steps } from '../steps.ts';
import { HolderCursor } from './holder-cursor.ts';
import type { HolderList } from './holder-list.ts';
import { slack } from './mask-sums.ts';
import { blockPostings } from './postings.ts';

/** Documents that are looked at together. */
const batchMax = 512;
/** Blocks of a list whose best are looked at first. */
const seededMin = 16;
/** Of work, to look for a document in a list. */
const lookUnits = 16;
/** Documents, ascending, and what their words add up to. */
export class Batch {
  readonly ordinals: Int32Array = new Int32Array(batchMax);
  readonly sums: Float64Array = new Float64Array(batchMax);
  count = 0;
}

export interface ScannedWord {
  list: HolderList;
  /** No document gets more from it. */
  most: number;
  /** No document of a block gets more. */
  mostIn(block: number): number;
  /** Adds to the sums of those that hold the word. */
  add(batch: Batch, cursor: HolderCursor): void;
}

export interface Threshold {
  /** What a sum must reach. */
  value: number;
  /** Documents that reach it, as it is now. */
  take(batch: Batch): void;
}

export class LayeredScan {
  readonly #words: ScannedWord[];
  readonly #cursors: HolderCursor[];
  /** By place: what this word and those behind it add at most. */
  readonly #left: Float64Array;
  readonly #among: Bitset;
  readonly #seen: Bitset;
  readonly #batch = new Batch();

  /** `among`: the documents that may be found. */
  constructor(words: ScannedWord[], among: Bitset) {
    this.#words = words.filter(({ list }) => list.blocks > 0).sort((a, b) => b.most - a.most);
    this.#cursors = this.#words.map(() => new HolderCursor());
    this.#left = new Float64Array(this.#words.length + 1);
    for (let i = this.#words.length - 1; i >= 0; i -= 1)
      this.#left[i] = (this.#left[i + 1] ?? 0) + (this.#words[i]?.most ?? 0);
    this.#among = among;
    this.#seen = new Bitset(among.words.length << 5);
  }

  *run(threshold: Threshold): Steps<void> {
    for (const [place, scanned] of this.#words.entries()) {
      const { list } = scanned;
      const others = this.#left[place + 1] ?? 0;
      if (scanned.most + others < threshold.value * slack) return;
      if (place === 0 && list.blocks > seededMin) yield* this.#lookAtBest(scanned, threshold);
      this.#openAll();
      for (let block = 0; block < list.blocks; block += 1) {
        const from = block * blockPostings;
        const to = Math.min(from + blockPostings, list.length);
        // Who is passed over with a block cannot reach the threshold by the words behind this one either.
        if (scanned.mostIn(block) + others >= threshold.value * slack) {
          list.read(block);
          this.#collect(list.ordinals, from, to);
        }
        const isFull = this.#batch.count + blockPostings > batchMax;
        if (isFull || block === list.blocks - 1) yield* this.#look(place, threshold);
        if (isPauseDue(to - from)) yield;
      }
    }
  }

  *#lookAtBest({ list, mostIn }: ScannedWord, threshold: Threshold): Steps<void> {
    const best = new TopK(batchMax / blockPostings, (a, b) => a < b);
    for (let block = 0; block < list.blocks; block += 1) best.offer(block, mostIn(block));
    this.#openAll();
    for (const block of (yield* best.sorted()).ordinals.sort()) {
      list.read(block);
      this.#collect(list.ordinals, block * blockPostings, Math.min((block + 1) * blockPostings, list.length));
    }
    if (isPauseDue(list.blocks + batchMax)) yield;
    yield* this.#look(0, threshold);
  }

  #openAll(): void {
    for (const [i, word] of this.#words.entries()) this.#cursors[i]?.open(word.list);
  }

  /** The documents of a block that were not met before join the batch. */
  #collect(ordinals: Int32Array, from: number, to: number): void {
    const among = this.#among.words;
    const seen = this.#seen.words;
    const batch = this.#batch;
    for (let i = from; i < to; i += 1) {
      const ordinal = ordinals[i] ?? 0;
      const word = ordinal >>> 5;
      const bit = 1 << (ordinal & 31);
      if (word >= among.length || ((among[word] ?? 0) & ~(seen[word] ?? 0) & bit) === 0) continue;
      seen[word] = (seen[word] ?? 0) | bit;
      batch.ordinals[batch.count] = ordinal;
      batch.sums[batch.count] = 0;
      batch.count += 1;
    }
  }

  /** Empties the batch. */
  *#look(place: number, threshold: Threshold): Steps<void> {
    const batch = this.#batch;
    for (let i = place; i < this.#words.length && batch.count > 0; i += 1) {
      const cursor = this.#cursors[i];
      if (cursor !== undefined) this.#words[i]?.add(batch, cursor);
      if (isPauseDue(batch.count * lookUnits)) yield;
      const needed = threshold.value * slack - (this.#left[i + 1] ?? 0);
      if (needed > 0) keepFrom(batch, needed);
    }
    if (batch.count > 0) threshold.take(batch);
    batch.count = 0;
  }
}

/** Keeps those that have so much. */
function keepFrom(batch: Batch, needed: number): void {
  const { ordinals, sums } = batch;
  let kept = 0;
  for (let i = 0; i < batch.count; i += 1) {
    const sum = sums[i] ?? 0;
    if (sum < needed) continue;
    ordinals[kept] = ordinals[i] ?? 0;
    sums[kept] = sum;
    kept += 1;
  }
  batch.count = kept;
}
