/**
 * Which documents have a value that a condition asks for, kept for the next filter that asks for it: filters are chosen from lists and named in links, so the
 * same few come again and again. A set takes in the documents that came since it was made; those that went are in it still.
 */
import { Bitset } from '../../bits/bitset.ts';
import { KeptByUse } from '../../lexical/kept-by-use.ts';
import type { Steps } from '../../steps.ts';
import type { WorkBudget } from '../../work-budget.ts';
import { entryUnits, pausedUnits, takeRange, unitsAtOnce } from './take-range.ts';

/** Of all sets of a column: half as many as its ordinals and values have, about. */
const bytesEach = 4;
const bytesMin = 1 << 15;
const bytesMaxOf = (entries: number): number => Math.max(bytesMin, entries * bytesEach);
/** What a set takes beside its words. */
const setBytes = 512;
/** Fewer are looked at each time. */
const entriesMin = 2_048;

/** A column; only the first `size` ordinals count. */
interface List {
  size: number;
  ordinals: Uint32Array;
}

interface Kept {
  documents: Bitset;
  /** Up to this place of the column. */
  upTo: number;
  bytes: number;
  cost: number;
}

interface Asked {
  /** What the condition is told by. */
  key: string;
  budget: WorkBudget;
  /** Adds the documents at these places that have such a value. */
  take: (from: number, to: number, into: Bitset) => void;
}

export class KeptHolders {
  readonly #kept = new KeptByUse<Kept>();
  /** How often places were moved. */
  #moves = 0;

  get bytes(): number {
    return this.#kept.bytes;
  }

  /** Places are about to be moved. */
  forget(): void {
    this.#moves += 1;
    this.#kept.clear();
  }

  /** Not of a column of few documents among many, whose sets would be larger than it. */
  isWorthIt({ size, ordinals }: List): boolean {
    return size >= entriesMin && (ordinals[size - 1] ?? 0) >>> 3 <= bytesMaxOf(size);
  }

  /** Must not be changed. */
  *find(list: List, { key, budget, take }: Asked): Steps<Bitset> {
    const { size } = list;
    const moves = this.#moves;
    const known = this.#kept.get(key);
    const from = known?.upTo ?? 0;
    // As much as without what is kept: a filter is not refused one time and answered another time.
    budget.spend(size * entryUnits);
    if (known !== undefined && from === size) return known.documents;
    const documents = known?.documents.clone() ?? new Bitset((list.ordinals[size - 1] ?? 0) + 1);
    yield* takeRange({ from, to: size, atOnce: unitsAtOnce / pausedUnits }, (start, end) =>
      take(start, end, documents),
    );
    const bytes = documents.words.byteLength + 2 * key.length + setBytes;
    if (moves === this.#moves)
      this.#kept.put(key, { documents, upTo: size, bytes, cost: size }, bytesMaxOf(size));
    return documents;
  }
}
