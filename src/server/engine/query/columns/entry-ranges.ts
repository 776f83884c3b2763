import type { Bitset } from '../../bits/bitset.ts';
import { isPauseDue, type Steps, stepUnits } from '../../steps.ts';
import type { WorkBudget } from '../../work-budget.ts';
import type { EntryList } from './entry-list.ts';

/** One search in a column costs about as much as so many entries passed over. */
export const searchEntries = 16;
/** Units of work: to look at an entry, and to search for one. */
export const entryUnits = 8;
export const searchUnits = 32;
/** The same between two pauses: most entries are passed over. */
const pausedUnits = 4;
/** Units of work between two pauses, at most. */
const unitsAtOnce = 16 * stepUnits;
export const entriesAtOnce = unitsAtOnce / pausedUnits;

/**
 * Calls `take` with ranges of places that together hold all values of the documents: the whole column, which holds others too, or, where the
 * documents are few, each one's own places. `takeUnits`: of work that `take` may do for an entry and counts itself, so that the ranges are short where
 * it is much.
 */
export function* entryRanges(
  list: EntryList,
  documents: Bitset,
  {
    budget,
    take,
    takeUnits = 0,
  }: { budget: WorkBudget; take: (from: number, to: number) => void; takeUnits?: number },
): Steps<void> {
  const atOnce = Math.ceil(unitsAtOnce / (pausedUnits + takeUnits));
  const { size } = list;
  if (documents.count() * searchEntries >= size) {
    budget.spend(size * entryUnits);
    yield* takeRange({ from: 0, to: size, atOnce }, take);
    return;
  }
  const ordinals = yield* documents.ordinals();
  budget.spend(ordinals.length * searchUnits);
  for (let i = 0; i < ordinals.length; i += 1) {
    const ordinal = ordinals[i] ?? 0;
    const from = list.start(ordinal);
    const to = list.end(ordinal);
    if (to - from <= atOnce) take(from, to);
    else yield* takeRange({ from, to, atOnce }, take);
    if (isPauseDue(searchUnits + (to - from) * pausedUnits)) yield;
  }
}

export function* takeRange(
  { from, to, atOnce }: { from: number; to: number; atOnce: number },
  take: (from: number, to: number) => void,
): Steps<void> {
  for (let start = from; start < to; start += atOnce) {
    const end = Math.min(to, start + atOnce);
    take(start, end);
    if (isPauseDue((end - start) * pausedUnits)) yield;
  }
}
