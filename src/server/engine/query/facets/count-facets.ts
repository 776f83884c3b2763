import type { Bitset } from '../../bits/bitset.ts';
import { isPauseDue, noteWork, type Steps } from '../../steps.ts';
import type { EngineFacet, FacetRequest } from '../../types.ts';
import { WorkBudget } from '../../work-budget.ts';
import type { ColumnStore } from '../columns/column-store.ts';
import type { EntryList } from '../columns/entry-list.ts';
import { entryRanges } from '../columns/entry-ranges.ts';
import { countValues, type ValueCounts } from './facet-counts.ts';
import { facetMatcher, type ValueMatcher } from './facet-matcher.ts';
import type { FacetScope } from './facet-scope.ts';
import { countRanges } from './range-counts.ts';

/** What is asked of the facets of a search. */
export interface FacetQuestion {
  facets: FacetRequest[];
  facetQuery: string | null;
  facetValuesMax: number;
  /** Typos that the facet query may have; absent: none. */
  typosMax?: number;
  /** Of the fields that are counted over other documents. */
  candidatesOf?: ReadonlyMap<string, Bitset>;
}

/**
 * How often each value of a field stands in the candidate set: documents, not occurrences. Fields with one column are counted by code
 * or value in one pass; where a field has several types a document's values are gathered first, so that `5` and `"5"` in one document
 * count once. Texts keep their spelling; of long ones (over `Dictionary.shortCharactersMax`) the beginning is
 * counted, with an ellipsis. A date is counted as it is written, or as its Unix seconds where it is a number.
 * Order: count down, then value by code unit. A range counts a document with any number (or date) in it, its end excluded; empty
 * ranges and values are left out. Statistics are over the distinct numbers of each document, of number fields only.
 *
 * A field that is asked for twice is counted once. @throws TooDearError
 */
export function* countFacets(
  candidates: Bitset,
  question: FacetQuestion,
  columns: ColumnStore,
  budget = new WorkBudget('facets'),
): Steps<EngineFacet[]> {
  const counted = new Map<string, EngineFacet>();
  const facets: EngineFacet[] = [];
  for (const request of question.facets) {
    const key = JSON.stringify(request);
    const facet = counted.get(key) ?? (yield* countFacet(request, question, { columns, candidates, budget }));
    counted.set(key, facet);
    facets.push(facet);
  }
  return facets;
}

function* countFacet(
  request: FacetRequest,
  question: FacetQuestion,
  { columns, ...all }: FacetScope & { columns: ColumnStore },
): Steps<EngineFacet> {
  const scope = { ...all, candidates: question.candidatesOf?.get(request.field) ?? all.candidates };
  const field = columns.field(request.field);
  if (field === undefined) return { field: request.field, counts: [], stats: null };
  const counts =
    request.ranges.length > 0
      ? yield* countRanges(field, request.ranges, scope)
      : yield* countValues(field, scope);
  return {
    field: request.field,
    counts: yield* matching(counts, request.field, { question, budget: scope.budget }),
    stats: field.numbers === null ? null : yield* statistics(field.numbers, scope),
  };
}

/** The first values of those that are asked for; where none is, those that are a typo or two away. */
function* matching(
  counts: ValueCounts,
  field: string,
  { question, budget }: { question: FacetQuestion; budget: WorkBudget },
): Steps<EngineFacet['counts']> {
  const { facetQuery, facets, facetValuesMax: max, typosMax = 0 } = question;
  const matcher = facetMatcher(facetQuery, field, facets);
  const found = yield* best(counts, { max, matcher, budget });
  if (matcher === null || found.length > 0 || typosMax === 0 || max === 0) return found;
  return yield* best(counts, { max, matcher: matcher.near(typosMax), budget });
}

/** Units of work: to look at a counted value. */
const rankedUnits = 16;

/** The `max` first in the facet's order, of those that the matcher lets through: a short sorted list, not a sort of all values. */
function* best(
  counts: ValueCounts,
  { max, matcher, budget }: { max: number; matcher: ValueMatcher | null; budget: WorkBudget },
): Steps<EngineFacet['counts']> {
  const kept: Counted[] = [];
  for (const [value, count] of counts) {
    if (isPauseDue(rankedUnits)) yield;
    budget.spend(rankedUnits);
    const last = kept.at(-1);
    if (kept.length >= max && (last === undefined || !isAhead(value, count, last))) continue;
    if (matcher !== null) {
      budget.spend(matcher.units);
      noteWork(matcher.units);
      if (!matcher.isMatch(value)) continue;
    }
    kept.splice(placeIn(kept, { value, count }), 0, { value, count });
    if (kept.length > max) kept.pop();
  }
  if (matcher === null) return kept;
  return kept.map((each) => ({ ...each, highlighted: matcher.marked(each.value) }));
}

interface Counted {
  value: string;
  count: number;
}

/** Code unit order: the same everywhere, whatever the locale. */
const isAhead = (value: string, count: number, other: Counted): boolean =>
  count > other.count || (count === other.count && value < other.value);

function placeIn(kept: Counted[], wanted: Counted): number {
  let low = 0;
  let high = kept.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const there = kept[middle];
    if (there !== undefined && isAhead(there.value, there.count, wanted)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function* statistics(numbers: EntryList, { candidates, budget }: FacetScope): Steps<EngineFacet['stats']> {
  let count = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let sum = 0;
  const take = (from: number, to: number) => {
    for (let place = from; place < to; place += 1) {
      if (!candidates.has(numbers.ordinals[place] ?? 0)) continue;
      const value = numbers.values[place] ?? 0;
      count += 1;
      sum += value;
      if (value < min) min = value;
      if (value > max) max = value;
    }
  };
  yield* entryRanges(numbers, candidates, { budget, take });
  return count === 0 ? null : { count, min, max, avg: sum / count, sum };
}
