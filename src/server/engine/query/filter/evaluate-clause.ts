import { Bitset } from '../../bits/bitset.ts';
import { type Steps, stepUnits } from '../../steps.ts';
import type { EntryList } from '../columns/entry-list.ts';
import { entryRanges, searchEntries, searchUnits } from '../columns/entry-ranges.ts';
import { entryListsOf } from '../columns/field.ts';
import { addWithin } from '../geo/add-within.ts';
import type { FilterClause, FilterOperand } from './filter-ast.ts';
import {
  complementOf,
  cutTo,
  exactly,
  type FilterScope,
  type Finding,
  nothingFound,
} from './filter-scope.ts';
import { asBoolean, compareInterval, dateInterval, type Interval, numberInterval } from './filter-value.ts';
import { PrefixSet } from './prefix-set.ts';
import type { TextCondition } from './text-condition.ts';
import type { WholeValues } from './whole-values.ts';
import type { WordMatches } from './word-matches.ts';

/** A filter that is being evaluated. */
export interface Evaluation extends FilterScope {
  conditions: ReadonlyMap<FilterClause, TextCondition>;
  wholes: WholeValues;
  words: WordMatches;
}

/** What is known of one clause among the documents within: one pass over a column, however many operands it has. */
export function* evaluateClause(
  clause: FilterClause,
  evaluation: Evaluation,
  within: Bitset,
): Steps<Finding> {
  if (clause.path === 'id') return yield* evaluateIds(clause, evaluation, within);
  if (clause.kind === 'exists')
    return exactly((yield* documentsWithField(clause.path, evaluation, within)).and(within));
  if (clause.kind === 'within') return yield* evaluateWithin(clause, evaluation, within);
  const found = cutTo(within, yield* evaluateValues(clause, evaluation, within));
  return clause.kind === 'match' && clause.operator === ':!=' ? complementOf(found, within) : found;
}

function* documentsWithField(path: string, { columns, budget }: Evaluation, within: Bitset): Steps<Bitset> {
  const found = new Bitset(columns.end);
  const own = columns.field(path);
  for (const field of [...(own === undefined ? [] : [own]), ...columns.fieldsBelow(path)]) {
    for (const list of entryListsOf(field)) {
      const take = (from: number, to: number) => {
        for (let place = from; place < to; place += 1) found.add(list.ordinals[place] ?? 0);
      };
      yield* entryRanges(list, within, { budget, take });
    }
  }
  return found;
}

function* evaluateWithin(
  { path, area }: Extract<FilterClause, { kind: 'within' }>,
  { columns, budget }: Evaluation,
  within: Bitset,
): Steps<Finding> {
  const found = new Bitset(columns.end);
  const field = columns.field(path);
  if (field !== undefined) yield* addWithin(field, area, { within, budget, found });
  return exactly(found);
}

type ValueClause = Exclude<FilterClause, { kind: 'exists' | 'within' }>;

function* evaluateValues(clause: ValueClause, evaluation: Evaluation, within: Bitset): Steps<Finding> {
  const { columns, budget, conditions } = evaluation;
  const field = columns.field(clause.path);
  if (field === undefined) return nothingFound();
  const found = new Bitset(columns.end);
  const among = { within, budget, found };
  if (field.numbers !== null) yield* addIntervals(field.numbers, intervalsOf(clause, numberInterval), among);
  if (field.dates !== null) yield* addIntervals(field.dates, intervalsOf(clause, dateInterval), among);
  if (field.booleans !== null && clause.kind === 'match')
    yield* addBooleans(field.booleans, clause.operands, among);
  const condition = conditions.get(clause);
  if (condition === undefined) return exactly(found);
  const texts = yield* evaluateTexts(condition, evaluation, within);
  texts.sure.or(found);
  texts.possible.or(found);
  return texts;
}

interface Among {
  within: Bitset;
  budget: Evaluation['budget'];
  found: Bitset;
}

/** The clause's intervals by the reading of one type; what does not read as that type is left out. */
function intervalsOf(clause: ValueClause, read: (text: string) => Interval | null): Interval[] {
  if (clause.kind === 'match') return clause.operands.flatMap((operand) => intervalOf(operand, read) ?? []);
  const value = read(clause.value.text);
  return value === null ? [] : [compareInterval(clause.operator, value)];
}

function intervalOf(operand: FilterOperand, read: (text: string) => Interval | null): Interval | null {
  if (operand.kind === 'value') return operand.isPrefix ? null : read(operand.value.text);
  const open = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  const from = operand.from === null ? open : read(operand.from.text);
  const to = operand.to === null ? open : read(operand.to.text);
  return from === null || to === null ? null : { from: from.from, to: to.to };
}

/** Points are looked up in one set, so that a list of a thousand values is still one pass; longer intervals by binary search. */
function* addIntervals(
  list: EntryList,
  intervals: Interval[],
  { within, budget, found }: Among,
): Steps<void> {
  if (intervals.length === 0) return;
  const points = new Set(intervals.filter(({ from, to }) => from === to).map(({ from }) => from));
  const spans = mergeSpans(intervals.filter(({ from, to }) => from < to));
  const [only] = intervals;
  const { ordinals, values } = list;
  // Most conditions are one interval or one value.
  if (only !== undefined && intervals.length === 1) {
    const { from, to } = only;
    const takeOnly = (start: number, end: number, into: Bitset) => {
      for (let place = start; place < end; place += 1) {
        const value = values[place] ?? 0;
        if (value >= from && value <= to) into.add(ordinals[place] ?? 0);
      }
    };
    return yield* addKept(list, { key: `${from} ${to}`, take: takeOnly }, { within, budget, found });
  }
  const take = (start: number, end: number) => {
    for (let place = start; place < end; place += 1) {
      const value = values[place] ?? 0;
      if (isWithin(value, spans) || (points.size > 0 && points.has(value))) found.add(ordinals[place] ?? 0);
    }
  };
  yield* entryRanges(list, within, { budget, take });
}

/** Of many documents by what is kept, of few by their own places. */
function* addKept(
  list: EntryList,
  { key, take }: { key: string; take: (from: number, to: number, into: Bitset) => void },
  { within, budget, found }: Among,
): Steps<void> {
  if (list.holders.isWorthIt(list) && within.count() * searchEntries >= list.size)
    found.or(yield* list.holders.find(list, { key, budget, take }));
  else yield* entryRanges(list, within, { budget, take: (from, to) => take(from, to, found) });
}

/** Overlapping spans joined, in order. */
function mergeSpans(spans: Interval[]): Interval[] {
  const merged: Interval[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    const last = merged.at(-1);
    if (last !== undefined && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else merged.push({ ...span });
  }
  return merged;
}

function isWithin(value: number, spans: Interval[]): boolean {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((spans[middle]?.to ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  const span = spans[low];
  return span !== undefined && span.from <= value;
}

function* addBooleans(
  list: EntryList,
  operands: FilterOperand[],
  { within, budget, found }: Among,
): Steps<void> {
  const wanted = operands.map((operand) =>
    operand.kind === 'value' && !operand.isPrefix ? asBoolean(operand.value.text) : null,
  );
  const hasTrue = wanted.includes(true);
  const hasFalse = wanted.includes(false);
  if (!hasTrue && !hasFalse) return;
  const take = (from: number, to: number) => {
    for (let place = from; place < to; place += 1)
      if (list.values[place] === 1 ? hasTrue : hasFalse) found.add(list.ordinals[place] ?? 0);
  };
  yield* entryRanges(list, within, { budget, take });
}

/** Marks of a dictionary's codes. */
const SURE = 1;
const MAYBE = 2;

function* evaluateTexts(condition: TextCondition, evaluation: Evaluation, within: Bitset): Steps<Finding> {
  const { columns, budget } = evaluation;
  const { field } = condition;
  const found: Finding = {
    sure: new Bitset(columns.end),
    possible: new Bitset(columns.end),
    passes: (texts) => condition.holds(texts.of(field), budget),
  };
  const list = field.strings;
  if (list === null) return found;
  yield* addWholes(condition, evaluation, { list, within, found });
  const rest = within.clone();
  for (const operand of condition.words) {
    rest.andNot(found.sure);
    if (rest.isEmpty()) break;
    const having = yield* evaluation.words.of(field.path, operand);
    found.possible.or(having.possible);
    if (operand.isDate) continue;
    const isOne = operand.words.length === 1;
    found.sure.or(isOne ? having.sure : yield* singlesOf(having.sure.and(rest), { list, budget }));
  }
  found.possible.or(found.sure).and(within);
  found.sure.and(within);
  return found.possible.count() === found.sure.count() ? exactly(found.sure) : found;
}

function* addWholes(
  { wholes, field }: TextCondition,
  { wholes: values, budget }: Evaluation,
  { list, within, found }: { list: EntryList; within: Bitset; found: Finding },
): Steps<void> {
  if (wholes.length === 0) return;
  const marks = new Uint8Array(field.dictionary.size);
  let marked = 0;
  for (const whole of wholes) {
    const { sure, maybe } = yield* values.codesOf(field, whole);
    for (const code of maybe) if (marks[code] === 0) marks[code] = MAYBE;
    for (const code of sure) marks[code] = SURE;
    marked += sure.length + maybe.length;
    budget.spend(sure.length + maybe.length);
  }
  if (marked === 0) return;
  const { ordinals, values: codes } = list;
  const only = marked === 1 ? marks.indexOf(SURE) : -1;
  if (only >= 0) {
    const takeOnly = (from: number, to: number, into: Bitset) => {
      for (let place = from; place < to; place += 1)
        if (codes[place] === only) into.add(ordinals[place] ?? 0);
    };
    return yield* addKept(list, { key: `${only}`, take: takeOnly }, { within, budget, found: found.sure });
  }
  const take = (from: number, to: number) => {
    for (let place = from; place < to; place += 1) {
      const mark = marks[codes[place] ?? 0];
      if (mark === SURE) found.sure.add(ordinals[place] ?? 0);
      else if (mark === MAYBE) found.possible.add(ordinals[place] ?? 0);
    }
  };
  yield* entryRanges(list, within, { budget, take });
}

/** Documents with one text in the column: all their words stand in that one. */
function* singlesOf(
  documents: Bitset,
  { list, budget }: { list: EntryList; budget: Evaluation['budget'] },
): Steps<Bitset> {
  const ordinals = yield* documents.ordinals();
  budget.spend(ordinals.length * searchUnits);
  for (let i = 0; i < ordinals.length; i += 1) {
    const ordinal = ordinals[i] ?? 0;
    if (list.end(ordinal) - list.start(ordinal) !== 1) documents.remove(ordinal);
    if ((i + 1) % stepUnits === 0) yield;
  }
  return documents;
}

/** Ids are compared as they are; a prefix looks at every document within. */
function* evaluateIds(
  clause: FilterClause,
  { documents, budget }: Evaluation,
  within: Bitset,
): Steps<Finding> {
  if (clause.kind === 'exists') return exactly(within.clone());
  const found = new Bitset(within.words.length << 5);
  if (clause.kind !== 'match') return exactly(found);
  const prefixes: string[] = [];
  for (const operand of clause.operands) {
    if (operand.kind === 'range') continue;
    if (operand.isPrefix) prefixes.push(operand.value.text);
    const ordinal = operand.isPrefix ? undefined : documents.ordinalOf(operand.value.text);
    if (ordinal !== undefined) found.add(ordinal);
  }
  if (prefixes.length > 0) {
    const begun = new PrefixSet(prefixes);
    const ordinals = yield* within.ordinals();
    budget.spend(ordinals.length * idUnits);
    for (let i = 0; i < ordinals.length; i += 1) {
      const ordinal = ordinals[i] ?? 0;
      if (begun.isBegun(documents.idOf(ordinal))) found.add(ordinal);
      if ((i + 1) % stepUnits === 0) yield;
    }
  }
  found.and(within);
  return exactly(clause.operator === ':!=' ? within.clone().andNot(found) : found);
}

/** To decode an id and compare it. */
const idUnits = 64;
