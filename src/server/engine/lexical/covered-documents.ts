/**
 * How much of the words' weight documents cover: those that cover at least a share of what the best one does. Found by which words they hold
 * (`word-masks.ts`), in a query of very many words by all of their postings (`word-sums.ts`); what is found is summed in the order of the query, so
 * that it is the same however it is come by.
 */
import { Bitset } from '../bits/bitset.ts';
import { fillSteps } from '../memory/fill-steps.ts';
import type { SearchScratch } from '../memory/search-scratch.ts';
import { isPauseDue, type Steps } from '../steps.ts';
import { HolderCursor } from './holder-cursor.ts';
import { held } from './holder-list.ts';
import type { Batch } from './layered-scan.ts';
import { slack } from './mask-sums.ts';
import { type MaskedDocuments, maskedDocuments } from './word-masks.ts';
import type { WordHolders } from './word-reader.ts';
import { sumAllCovered } from './word-sums.ts';

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
    return yield* CoveredDocuments.#ofMany(words, live, { share, scratch });
  }

  /** Of so many words that documents have no masks. */
  static *#ofMany(
    words: WordHolders[],
    live: Bitset,
    { share, scratch }: { share: number; scratch: SearchScratch },
  ): Steps<CoveredDocuments> {
    const capacity = live.words.length << 5;
    const sums = yield* fillSteps(scratch.numbers('covered', capacity), 0);
    yield* sumAllCovered(words, sums);
    let most = 0;
    yield* live.visit((ordinal) => {
      most = Math.max(most, sums[ordinal] ?? 0);
    });
    const reaching = new Bitset(capacity);
    const least = share * most * slack;
    yield* live.visit((ordinal) => {
      const sum = sums[ordinal] ?? 0;
      if (sum > 0 && sum >= least) reaching.add(ordinal);
    });
    const ordinals = yield* reaching.ordinals();
    const covered = new Float64Array(ordinals.length);
    for (let i = 0; i < ordinals.length; i += 1) covered[i] = sums[ordinals[i] ?? 0] ?? 0;
    if (isPauseDue(ordinals.length)) yield;
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
