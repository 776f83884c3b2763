import { isPauseDue, type Steps, stepUnits } from '../../steps.ts';
import type { WorkBudget } from '../../work-budget.ts';
import { parseDate } from '../columns/calendar.ts';
import type { Dictionary } from '../columns/dictionary.ts';
import type { EntryList } from '../columns/entry-list.ts';
import { entryRanges } from '../columns/entry-ranges.ts';
import type { Field } from '../columns/field.ts';
import type { FacetScope } from './facet-scope.ts';

/** Units of work: to count a value that was not met before, to make its text, and to find a document's values of several types. */
const newValueUnits = 64;
const labelUnits = 128;
const gatheredUnits = 128;
/** Units of work: to see whether a value reads like a long text's label. */
const likeLabelUnits = 4;

/** How many documents have each value, by its text; may be gone through several times. */
export type ValueCounts = Iterable<[value: string, count: number]>;

/** Of the candidates: one pass over the column, or one over the documents where there are several columns. */
export function* countValues(field: Field, scope: FacetScope): Steps<ValueCounts> {
  const lists = labelledLists(field);
  const [only] = lists;
  if (only === undefined) return [];
  if (lists.length > 1) return yield* countTogether(field, lists, scope);
  if (only.list === field.strings) return yield* countCodes(field, only.list, scope);
  return yield* countNumbers(only, scope);
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

function* countNumbers({ list, label }: LabelledList, scope: FacetScope): Steps<Map<string, number>> {
  const { candidates, budget } = scope;
  const byValue = new Map<number, number>();
  const take = (from: number, to: number) => {
    const before = byValue.size;
    for (let place = from; place < to; place += 1) {
      const value = list.values[place] ?? 0;
      if (candidates.has(list.ordinals[place] ?? 0)) byValue.set(value, (byValue.get(value) ?? 0) + 1);
    }
    budget.spend((byValue.size - before) * newValueUnits);
  };
  yield* entryRanges(list, candidates, { budget, take });
  return yield* labelled(byValue, label, scope);
}

function* countCodes(field: Field, list: EntryList, scope: FacetScope): Steps<ValueCounts> {
  const { candidates, budget } = scope;
  const { dictionary } = field;
  const byCode = new Uint32Array(dictionary.size);
  const take = (from: number, to: number) => {
    for (let place = from; place < to; place += 1) {
      if (!candidates.has(list.ordinals[place] ?? 0)) continue;
      const code = list.values[place] ?? 0;
      byCode[code] = (byCode[code] ?? 0) + 1;
    }
  };
  yield* entryRanges(list, candidates, { budget, take });
  budget.spend(byCode.length);
  const likeLabels = yield* countsLikeLabels(byCode, dictionary, budget);
  return { [Symbol.iterator]: () => labelledCodes(byCode, dictionary, likeLabels) };
}

/** Only a long text's label may be a short text as well: short texts that read like one, and how often each is there. */
function* countsLikeLabels(
  counts: Uint32Array,
  dictionary: Dictionary,
  budget: WorkBudget,
): Steps<ReadonlyMap<string, number>> {
  const likeLabels = new Map<string, number>();
  if (dictionary.longCount === 0) return likeLabels;
  budget.spend(counts.length * likeLabelUnits);
  for (let code = 0; code < counts.length; code += 1) {
    const count = counts[code] ?? 0;
    if (count > 0 && isLikeLabel(code, dictionary)) likeLabels.set(dictionary.textOf(code), count);
    if (isPauseDue(likeLabelUnits)) yield;
  }
  return likeLabels;
}

/** Without a map of all of them, which may be very many. */
function* labelledCodes(
  counts: Uint32Array,
  dictionary: Dictionary,
  likeLabels: ReadonlyMap<string, number>,
): Generator<[string, number]> {
  const merged = new Set<string>();
  for (const [code, count] of nonZero(counts)) {
    if (!dictionary.isLong(code)) {
      if (likeLabels.size === 0 || !isLikeLabel(code, dictionary)) yield [dictionary.textOf(code), count];
      continue;
    }
    const label = dictionary.labelOf(code);
    const same = likeLabels.get(label);
    if (same !== undefined) merged.add(label);
    yield [label, count + (same ?? 0)];
  }
  for (const [label, count] of likeLabels) if (!merged.has(label)) yield [label, count];
}

function isLikeLabel(code: number, dictionary: Dictionary): boolean {
  return !dictionary.isLong(code) && dictionary.textOf(code).endsWith('…');
}

function* nonZero(counts: Uint32Array): Generator<[number, number]> {
  for (let code = 0; code < counts.length; code += 1) {
    const count = counts[code] ?? 0;
    if (count > 0) yield [code, count];
  }
}

/** Added, not set: a long text's label may be a short text as well. */
function* labelled(
  counted: Iterable<[value: number, count: number]>,
  label: (value: number) => string,
  { budget }: FacetScope,
): Steps<Map<string, number>> {
  const counts = new Map<string, number>();
  let seen = 0;
  for (const [value, count] of counted) {
    budget.spend(labelUnits);
    const text = label(value);
    counts.set(text, (counts.get(text) ?? 0) + count);
    seen += 1;
    if (seen % stepUnits === 0) yield;
  }
  return counts;
}

/** A document's values are gathered first, so that `5` and `"5"` in one document count once. */
function* countTogether(
  field: Field,
  lists: LabelledList[],
  { candidates, budget }: FacetScope,
): Steps<Map<string, number>> {
  const counts = new Map<string, number>();
  const ordinals = yield* candidates.ordinals();
  for (let i = 0; i < ordinals.length; i += 1) {
    const labels = labelsOf(field, lists, ordinals[i] ?? 0);
    budget.spend((1 + labels.size) * gatheredUnits);
    for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
    if ((i + 1) % (stepUnits / 8) === 0) yield;
  }
  return counts;
}

function labelsOf(field: Field, lists: LabelledList[], ordinal: number): Set<string> {
  const labels = new Set<string>();
  const writtenDates = new Set<number | null>();
  for (const { list, label } of lists) {
    const end = list.end(ordinal);
    for (let place = list.start(ordinal); place < end; place += 1) {
      const value = list.values[place] ?? 0;
      if (list === field.dates && writtenDates.has(value)) continue;
      if (list === field.strings && field.declared === 'date') writtenDates.add(parseDate(label(value)));
      labels.add(label(value));
    }
  }
  return labels;
}
