import type { Bitset } from '../../bits/bitset.ts';
import { isPauseDue, type Steps } from '../../steps.ts';
import type { WorkBudget } from '../../work-budget.ts';
import type { EntryList } from './entry-list.ts';
import { entryUnits, pausedUnits, takeRange, unitsAtOnce } from './take-range.ts';

/** One search in a column costs about as much as so many entries passed over. */
export const searchEntries = 16;
/** Units of work, to search for an entry. */
export const searchUnits = 32;

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
