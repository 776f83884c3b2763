/**
 * How many documents have a number or a date in each of some ranges. The ends of all ranges, sorted, cut the number line into spans; a
 * document's values are looked up among them once, whatever the number of ranges. A document counts once in a range however many of its
 * values lie there: for each of its spans, in order, what counts is that the one before it lies before the range. So one table of (span before,
 * span) tells all ranges. O(values · log ranges + ranges²).
 */
import { type Steps, stepUnits } from '../../steps.ts';
import type { FacetRequest } from '../../types.ts';
import type { EntryList } from '../columns/entry-list.ts';
import { entryRanges, searchUnits } from '../columns/entry-ranges.ts';
import type { Field } from '../columns/field.ts';
import type { FacetScope } from './facet-scope.ts';

type Ranges = FacetRequest['ranges'];

/** To look a value up among the ends of a hundred ranges. */
const lookUpUnits = 8;

/** Counts by label; ranges without documents are left out. */
export function* countRanges(field: Field, ranges: Ranges, scope: FacetScope): Steps<Map<string, number>> {
  const tally = new RangeTally(ranges);
  const lists = [field.numbers, field.dates].filter((list) => list !== null);
  const [first, second] = lists;
  if (first !== undefined && second !== undefined) yield* addTogether([first, second], tally, scope);
  else if (first !== undefined) yield* addColumn(first, tally, scope);
  scope.budget.spend(tally.units);
  return tally.counts();
}

function* addColumn(list: EntryList, tally: RangeTally, { candidates, budget }: FacetScope): Steps<void> {
  const take = (from: number, to: number) => {
    budget.spend((to - from) * lookUpUnits);
    for (let place = from; place < to; place += 1) {
      const ordinal = list.ordinals[place] ?? 0;
      if (candidates.has(ordinal)) tally.add(ordinal, list.values[place] ?? 0);
    }
  };
  yield* entryRanges(list, candidates, { budget, take });
  tally.end();
}

function* addTogether(
  lists: EntryList[],
  tally: RangeTally,
  { candidates, budget }: FacetScope,
): Steps<void> {
  const ordinals = yield* candidates.ordinals();
  for (let i = 0; i < ordinals.length; i += 1) {
    const ordinal = ordinals[i] ?? 0;
    for (const list of lists) {
      const start = list.start(ordinal);
      const end = list.end(ordinal);
      budget.spend(searchUnits + (end - start) * lookUpUnits);
      for (let place = start; place < end; place += 1) tally.add(ordinal, list.values[place] ?? 0);
    }
    if ((i + 1) % stepUnits === 0) yield;
  }
  tally.end();
}

class RangeTally {
  readonly #ranges: Ranges;
  /** The ends of all ranges, ascending; span i lies before end i. */
  readonly #ends: Float64Array;
  readonly #spanCount: number;
  /** Documents by (span before + 1, span). */
  readonly #documents: Uint32Array;
  #ordinal = -1;
  /** Of the document that is being read. */
  #spans: number[] = [];

  constructor(ranges: Ranges) {
    this.#ranges = ranges;
    const ends = ranges.flatMap(({ from, to }) => [from, to]).filter((end) => end !== null);
    this.#ends = Float64Array.from(new Set(ends)).sort();
    this.#spanCount = this.#ends.length + 1;
    this.#documents = new Uint32Array((this.#spanCount + 1) * this.#spanCount);
  }

  get units(): number {
    return this.#documents.length * this.#ranges.length;
  }

  /** The values of one document come one after the other. */
  add(ordinal: number, value: number): void {
    if (ordinal !== this.#ordinal) {
      this.end();
      this.#ordinal = ordinal;
    }
    this.#spans.push(this.#spanOf(value));
  }

  /** The last document is complete. */
  end(): void {
    const spans = this.#spans;
    if (spans.length > 1) spans.sort((a, b) => a - b);
    let before = -1;
    for (const span of spans) {
      if (span === before) continue;
      const place = (before + 1) * this.#spanCount + span;
      this.#documents[place] = (this.#documents[place] ?? 0) + 1;
      before = span;
    }
    spans.length = 0;
  }

  counts(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { label, from, to } of this.#ranges) {
      const first = from === null ? 0 : this.#spanOf(from);
      const end = to === null ? this.#spanCount : this.#spanOf(to);
      const count = this.#countBetween(first, end);
      if (count > 0) counts.set(label, (counts.get(label) ?? 0) + count);
    }
    return counts;
  }

  /** Documents with a span from `first` to before `end`: those whose first such span follows one before `first`, or none. */
  #countBetween(first: number, end: number): number {
    let count = 0;
    for (let before = 0; before <= first; before += 1) {
      const row = before * this.#spanCount;
      for (let span = first; span < end; span += 1) count += this.#documents[row + span] ?? 0;
    }
    return count;
  }

  /** How many ends are not above the value. */
  #spanOf(value: number): number {
    const ends = this.#ends;
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ends[middle] ?? 0) <= value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
