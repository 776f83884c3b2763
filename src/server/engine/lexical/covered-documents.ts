/**
 * How much of the words' weight documents cover: those that cover at least a share of what the best one does. Found by which words they hold
 * (`word-masks.ts`), in a query of very many words as the best scores are (`layered-scan.ts`); what is found is summed in the order of the query, so
 * that it is the same however it is come by.
 */
import type { Bitset } from '../bits/bitset.ts';
import type { SearchScratch } from '../memory/search-scratch.ts';
import { isPauseDue, type Steps } from '../steps.ts';
import { HolderCursor } from './holder-cursor.ts';
import { held } from './holder-list.ts';
import { type Batch, LayeredScan, slack, type Threshold } from './layered-scan.ts';
import { SummedDocuments } from './summed-documents.ts';
import { type MaskedDocuments, maskedDocuments } from './word-masks.ts';
import type { WordHolders } from './word-reader.ts';

/** Documents that are summed without a pause, and units of work for each. */
const summedAtOnce = 512;
const sumUnits = 16;

export class CoveredDocuments {
  /** Ascending. */
  readonly ordinals: Int32Array;
  /** By their places. */
  readonly #covered: Float64Array;
  /** What the best one covers. */
  readonly most: number;
  /** Null: there are so many words that documents have none. */
  readonly masked: MaskedDocuments | null;

  private constructor(ordinals: Int32Array, covered: Float64Array, masked: MaskedDocuments | null) {
    this.ordinals = ordinals;
    this.#covered = covered;
    this.most = covered.reduce((a, b) => Math.max(a, b), 0);
    this.masked = masked;
  }

  /** Living documents that cover at least `share` of what the best one covers; `full`: some that cover much, or none. */
  static *of(
    words: WordHolders[],
    { live, full, share, scratch }: { live: Bitset; full: Bitset; share: number; scratch: SearchScratch },
  ): Steps<CoveredDocuments> {
    const one = firstOf(full);
    const known = new Float64Array(1);
    if (one >= 0) yield* sumCovered(words, Int32Array.of(one), known);
    const masked = yield* maskedDocuments(words, { live, share, known: known[0] ?? 0, scratch });
    if (masked !== null) return new CoveredDocuments(masked.ordinals, yield* coveredByMasks(masked), masked);
    const best = new ShareOfBest(share);
    const scanned = words.map((word) => ({
      list: word.list,
      most: word.weight * Math.max(1, word.otherwise),
      mostIn: () => word.weight * Math.max(1, word.otherwise),
      add: (batch: Batch, cursor: HolderCursor) => addCovered(word, cursor, batch),
    }));
    yield* new LayeredScan(scanned, live).run(best);
    const ordinals = yield* best.ordinals();
    const covered = new Float64Array(ordinals.length);
    yield* sumCovered(words, ordinals, covered);
    return new CoveredDocuments(ordinals, covered, null);
  }

  /** Adds those that cover at least so much. */
  *reaching(least: number, into: Bitset): Steps<void> {
    for (let i = 0; i < this.ordinals.length; i += 1) {
      if ((this.#covered[i] ?? 0) >= least) into.add(this.ordinals[i] ?? 0);
      if (isPauseDue(1)) yield;
    }
  }
}

/** −1: there is none. */
function firstOf({ words }: Bitset): number {
  const at = words.findIndex((word) => word !== 0);
  if (at < 0) return -1;
  const word = words[at] ?? 0;
  return (at << 5) | (31 - Math.clz32(word & -word));
}

/** Of each document, added up as `sumCovered` does. */
function* coveredByMasks({ slots, masks }: MaskedDocuments): Steps<Float64Array> {
  const covered = new Float64Array(masks.length);
  for (let place = 0; place < masks.length; place += 1) {
    const mask = masks[place] ?? 0;
    let sum = 0;
    for (let i = 0; i < slots.length; i += 1) if ((mask & (1 << i)) !== 0) sum += slots[i]?.covered ?? 0;
    covered[place] = sum;
    if (isPauseDue(slots.length)) yield;
  }
  return covered;
}

/** How much of the words' weight documents cover, which are ascending, to the same places of `covered`, which is 0. */
export function* sumCovered(
  words: readonly WordHolders[],
  ordinals: Int32Array,
  covered: Float64Array,
): Steps<void> {
  for (let from = 0; from < ordinals.length; from += summedAtOnce) {
    const part = ordinals.subarray(from, from + summedAtOnce);
    const batch = { ordinals: part, sums: covered.subarray(from, from + summedAtOnce), count: part.length };
    for (const word of words) {
      addCovered(word, new HolderCursor().open(word.list), batch);
      if (isPauseDue(part.length * sumUnits)) yield;
    }
  }
}

function addCovered({ weight, otherwise }: WordHolders, cursor: HolderCursor, batch: Batch): void {
  const { ordinals, sums, count } = batch;
  const less = weight * otherwise;
  for (let i = 0; i < count; i += 1) {
    const ordinal = ordinals[i] ?? 0;
    cursor.advance(ordinal);
    if (cursor.ordinal !== ordinal) continue;
    sums[i] = (sums[i] ?? 0) + ((cursor.ways & held.whole) === 0 ? less : weight);
  }
}

class ShareOfBest implements Threshold {
  readonly #share: number;
  readonly #met = new SummedDocuments();
  #most = 0;
  value = 0;

  constructor(share: number) {
    this.#share = share;
  }

  take(batch: Batch): void {
    for (let i = 0; i < batch.count; i += 1) this.#most = Math.max(this.#most, batch.sums[i] ?? 0);
    this.value = this.#share * this.#most;
    this.#met.push(batch, this.value * slack);
  }

  /** Ascending. */
  ordinals(): Steps<Int32Array> {
    return this.#met.reaching(this.value * slack);
  }
}
