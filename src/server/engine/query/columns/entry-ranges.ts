import type { Bitset } from '../../bits/bitset.ts';
import { isPauseDue, type Steps, stepUnits } from '../../steps.ts';
import type { WorkBudget } from '../../work-budget.ts';
import type { EntryList } from './entry-list.ts';

/** An entry takes a few nanoseconds. */
const entriesAtOnce = 4 * stepUnits;
/** One search in a column costs about as much as so many entries passed over. */
const searchEntries = 16;
/** Units of work: to look at an entry, and to search for one. */
const entryUnits = 8;
export const searchUnits = 32;
/** The same between two pauses: most entries are passed over. */
const pausedUnits = 4;

/**
 * Calls `take` with ranges of places that together hold all values of the documents: the whole column, which holds others too, or, where the
 * documents are few, each one's own places.
 */
export function* entryRanges(
  list: EntryList,
  documents: Bitset,
  { budget, take }: { budget: WorkBudget; take: (from: number, to: number) => void },
): Steps<void> {
  const { size } = list;
  if (documents.count() * searchEntries < size) {
    const ordinals = yield* documents.ordinals();
    budget.spend(ordinals.length * searchUnits);
    for (let i = 0; i < ordinals.length; i += 1) {
      const ordinal = ordinals[i] ?? 0;
      take(list.start(ordinal), list.end(ordinal));
      if ((i + 1) % stepUnits === 0) yield;
    }
    return;
  }
  budget.spend(size * entryUnits);
  for (let from = 0; from < size; from += entriesAtOnce) {
    const to = Math.min(size, from + entriesAtOnce);
    take(from, to);
    if (isPauseDue((to - from) * pausedUnits)) yield;
  }
}
