import { Bitset } from '../../bits/bitset.ts';
import type { EngineFacet, FacetRequest } from '../../types.ts';
import { parseDate } from '../columns/calendar.ts';
import type { ColumnStore } from '../columns/column-store.ts';
import type { EntryList } from '../columns/entry-list.ts';
import type { Field } from '../columns/field.ts';
import { type FacetMatcher, facetMatcher } from './facet-matcher.ts';

/**
 * How often each value of a field stands in the candidate set: documents, not occurrences. Fields with one column are counted by code
 * or value in one pass; where a field has several types a document's values are gathered first, so that `5` and `"5"` in one document
 * count once. Texts keep their spelling; of long ones (over `Dictionary.shortCharactersMax`) the beginning is
 * counted, with an ellipsis. A date is counted as it is written, or as its Unix seconds where it is a number.
 * Order: count down, then value by code unit. A range counts a document with any number (or date) in it, its end excluded; empty
 * ranges and values are left out. Statistics are over the distinct numbers of each document, of number fields only.
 */
export function countFacets(
  candidates: Bitset,
  requests: FacetRequest[],
  facetQuery: string | null,
  valuesMax: number,
  columns: ColumnStore,
): EngineFacet[] {
  const size = candidates.count();
  return requests.map((request) => {
    const field = columns.field(request.field);
    if (field === undefined) return { field: request.field, counts: [], stats: null };
    const among = { candidates, size };
    const counts = request.ranges.length > 0 ? countRanges(field, request, among) : countValues(field, among);
    const matcher = facetMatcher(facetQuery, request.field, requests);
    return {
      field: request.field,
      counts: best(counts, valuesMax, matcher),
      stats: field.numbers === null ? null : statistics(field.numbers, among),
    };
  });
}

interface Candidates {
  candidates: Bitset;
  /** How many there are. */
  size: number;
}

/** Visits the values of the candidates: by one pass over the column, or by one search a candidate where these are few. */
function eachValue(
  list: EntryList,
  { candidates, size }: Candidates,
  visit: (value: number, ordinal: number) => void,
): void {
  const { ordinals, values } = list;
  if (size * 16 < list.size) {
    candidates.forEach((ordinal) => {
      const end = list.end(ordinal);
      for (let place = list.start(ordinal); place < end; place++) visit(values[place] ?? 0, ordinal);
    });
    return;
  }
  for (let place = 0; place < list.size; place++) {
    const ordinal = ordinals[place] ?? 0;
    if (candidates.has(ordinal)) visit(values[place] ?? 0, ordinal);
  }
}

function countValues(field: Field, among: Candidates): Map<string, number> {
  const lists = labelledLists(field);
  const [only] = lists;
  if (only === undefined) return new Map();
  if (lists.length > 1) return countTogether(field, lists, among);
  if (only.list === field.strings) return countCodes(field, only.list, among);
  const byValue = new Map<number, number>();
  eachValue(only.list, among, (value) => byValue.set(value, (byValue.get(value) ?? 0) + 1));
  return new Map([...byValue].map(([value, count]) => [only.label(value), count]));
}

function countCodes(field: Field, list: EntryList, among: Candidates): Map<string, number> {
  const byCode = new Uint32Array(field.dictionary.size);
  eachValue(list, among, (code) => {
    byCode[code] = (byCode[code] ?? 0) + 1;
  });
  const counts = new Map<string, number>();
  // Added, not set: a long text's label may be a short text as well.
  for (const [code, count] of byCode.entries()) {
    if (count === 0) continue;
    const text = field.dictionary.labelOf(code);
    counts.set(text, (counts.get(text) ?? 0) + count);
  }
  return counts;
}

interface LabelledList {
  list: EntryList;
  label: (value: number) => string;
}

/** The columns that hold a field's facet values. Dates that were written as text are in the text column already. */
function labelledLists(field: Field): LabelledList[] {
  const { numbers, booleans, dates, strings, dictionary } = field;
  const lists: LabelledList[] = [];
  if (strings !== null) lists.push({ list: strings, label: (code) => dictionary.labelOf(code) });
  if (numbers !== null) lists.push({ list: numbers, label: String });
  if (booleans !== null) lists.push({ list: booleans, label: (value) => String(value === 1) });
  if (dates !== null && field.declared === 'date') lists.push({ list: dates, label: String });
  return lists;
}

function countTogether(field: Field, lists: LabelledList[], { candidates }: Candidates): Map<string, number> {
  const counts = new Map<string, number>();
  const labels = new Set<string>();
  const writtenDates = new Set<number | null>();
  candidates.forEach((ordinal) => {
    labels.clear();
    writtenDates.clear();
    for (const { list, label } of lists) {
      const end = list.end(ordinal);
      for (let place = list.start(ordinal); place < end; place++) {
        const value = list.values[place] ?? 0;
        if (list === field.dates && writtenDates.has(value)) continue;
        if (list === field.strings && field.declared === 'date') writtenDates.add(parseDate(label(value)));
        labels.add(label(value));
      }
    }
    for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  });
  return counts;
}

function countRanges(field: Field, { ranges }: FacetRequest, among: Candidates): Map<string, number> {
  const lists = [field.numbers, field.dates].filter((list) => list !== null);
  const counts = new Map<string, number>();
  for (const { label, from, to } of ranges) {
    const low = from ?? Number.NEGATIVE_INFINITY;
    const high = to ?? Number.POSITIVE_INFINITY;
    const within = new Bitset(0);
    for (const list of lists) {
      eachValue(list, among, (value, ordinal) => {
        if (value >= low && value < high) within.add(ordinal);
      });
    }
    const count = within.count();
    if (count > 0) counts.set(label, (counts.get(label) ?? 0) + count);
  }
  return counts;
}

/** The `max` first in the facet's order, of those that the facet query lets through: a short sorted list, not a sort of all values. */
function best(counts: Map<string, number>, max: number, matcher: FacetMatcher | null): EngineFacet['counts'] {
  const kept: EngineFacet['counts'] = [];
  for (const [value, count] of counts) {
    const last = kept.at(-1);
    if (kept.length >= max && (last === undefined || !isBefore({ value, count }, last))) continue;
    const highlighted = matcher === null ? undefined : matcher(value);
    if (highlighted === null) continue;
    kept.splice(placeIn(kept, { value, count }), 0, {
      value,
      count,
      ...(highlighted === undefined ? {} : { highlighted }),
    });
    if (kept.length > max) kept.pop();
  }
  return kept;
}

interface Counted {
  value: string;
  count: number;
}

/** Code unit order: the same everywhere, whatever the locale. */
const isBefore = (a: Counted, b: Counted): boolean =>
  a.count > b.count || (a.count === b.count && a.value < b.value);

function placeIn(kept: Counted[], wanted: Counted): number {
  let low = 0;
  let high = kept.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const there = kept[middle];
    if (there !== undefined && isBefore(there, wanted)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function statistics(numbers: EntryList, among: Candidates): EngineFacet['stats'] {
  let count = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let sum = 0;
  eachValue(numbers, among, (value) => {
    count++;
    sum += value;
    if (value < min) min = value;
    if (value > max) max = value;
  });
  return count === 0 ? null : { count, min, max, avg: sum / count, sum };
}
