/** A pass over places of a column. */
import { isPauseDue, type Steps, stepUnits } from '../../steps.ts';

/** Units of work, to look at an entry. */
export const entryUnits = 8;
/** The same between two pauses: most entries are passed over. */
export const pausedUnits = 4;
/** Units of work between two pauses, at most. */
export const unitsAtOnce = 16 * stepUnits;

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
