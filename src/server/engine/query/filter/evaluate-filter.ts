import { Bitset } from '../../bits/bitset.ts';
import type { ColumnStore } from '../columns/column-store.ts';
import type { EntryList } from '../columns/entry-list.ts';
import { entryListsOf, type Field } from '../columns/field.ts';
import type { FilterClause, FilterNode, FilterOperand } from './filter-ast.ts';
import type { FilterSource } from './filter-source.ts';
import { asBoolean, compareInterval, dateInterval, type Interval, numberInterval } from './filter-value.ts';
import { matchStrings } from './match-strings.ts';
import { PrefixSet } from './prefix-set.ts';

/** What a filter is evaluated over. */
export interface FilterScope {
  columns: ColumnStore;
  source: FilterSource;
  live: Bitset;
}

/**
 * The live documents that a filter lets through, as a new set. One pass over a column a clause, however many operands it has;
 * combining is one pass over words. Meaning of the operators: `filter-parser.ts` for the grammar, and
 * - `:` on text: all words of the value stand in one value of the field, in any order, analysed as the index does; a value without
 *   words is compared as `:=` does · with a star the last word is a beginning · `:=` the whole value after Unicode normalisation and case folding
 * - a value that reads as a date is compared with a date column as a date, not as text: a day is all its seconds
 * - any element of an array may match; `!=` is the complement, so documents without the field pass
 */
export function evaluateFilter(node: FilterNode, scope: FilterScope): Bitset {
  switch (node.kind) {
    case 'and':
      return node.children.map((child) => evaluateFilter(child, scope)).reduce((all, one) => all.and(one));
    case 'or':
      return node.children.map((child) => evaluateFilter(child, scope)).reduce((all, one) => all.or(one));
    case 'not':
      return scope.live.clone().andNot(evaluateFilter(node.child, scope));
    default:
      return evaluateClause(node, scope);
  }
}

function evaluateClause(clause: FilterClause, { columns, source, live }: FilterScope): Bitset {
  if (clause.path === 'id') return evaluateIds(clause, source, live);
  const found = new Bitset(columns.end);
  const field = columns.field(clause.path);
  if (clause.kind === 'exists') {
    for (const present of [...(field === undefined ? [] : [field]), ...columns.fieldsBelow(clause.path)]) {
      for (const list of entryListsOf(present)) addAll(list, found);
    }
  } else if (field !== undefined) {
    const operands = clause.kind === 'compare' ? [] : clause.operands;
    const intervals = intervalsOf(clause);
    if (field.numbers !== null) addWithin(field.numbers, intervals(numberInterval), found);
    if (field.dates !== null) addWithin(field.dates, intervals(dateInterval), found);
    if (field.booleans !== null) addBooleans(field.booleans, operands, found);
    if (clause.kind === 'match' && field.strings !== null) {
      const isWhole = clause.operator !== ':';
      matchStrings({ field, operands: textOperands(field, operands), isWhole, source }, found);
    }
  }
  found.and(live);
  return clause.kind === 'match' && clause.operator === ':!=' ? live.clone().andNot(found) : found;
}

/** A declared date is compared as a date; only prefixes look at how it was written. */
function textOperands(field: Field, operands: FilterOperand[]): FilterOperand[] {
  return operands.filter(
    (operand) => operand.kind === 'value' && (field.declared !== 'date' || operand.isPrefix),
  );
}

/** The clause's intervals by the reading of one type; what does not read as that type is left out. */
function intervalsOf(clause: FilterClause): (read: (text: string) => Interval | null) => Interval[] {
  return (read) => {
    if (clause.kind === 'exists') return [];
    if (clause.kind === 'compare') {
      const value = read(clause.value.text);
      return value === null ? [] : [compareInterval(clause.operator, value)];
    }
    return clause.operands.flatMap((operand) => intervalOf(operand, read) ?? []);
  };
}

function intervalOf(operand: FilterOperand, read: (text: string) => Interval | null): Interval | null {
  if (operand.kind === 'value') return operand.isPrefix ? null : read(operand.value.text);
  const open = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  const from = operand.from === null ? open : read(operand.from.text);
  const to = operand.to === null ? open : read(operand.to.text);
  return from === null || to === null ? null : { from: from.from, to: to.to };
}

function addAll(list: EntryList, into: Bitset): void {
  for (let place = 0; place < list.size; place++) into.add(list.ordinals[place] ?? 0);
}

/** Points are looked up in one set, so that a list of a thousand values is still one pass; longer intervals are tried one by one. */
function addWithin(list: EntryList, intervals: Interval[], into: Bitset): void {
  if (intervals.length === 0) return;
  const points = new Set(intervals.filter(({ from, to }) => from === to).map(({ from }) => from));
  const spans = mergeSpans(intervals.filter(({ from, to }) => from < to));
  const { ordinals, values, size } = list;
  for (let place = 0; place < size; place++) {
    const value = values[place] ?? 0;
    if (isWithin(value, spans) || (points.size > 0 && points.has(value))) into.add(ordinals[place] ?? 0);
  }
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

function addBooleans(list: EntryList, operands: FilterOperand[], into: Bitset): void {
  const wanted = operands.map((operand) =>
    operand.kind === 'value' && !operand.isPrefix ? asBoolean(operand.value.text) : null,
  );
  const hasTrue = wanted.includes(true);
  const hasFalse = wanted.includes(false);
  for (let place = 0; place < list.size; place++) {
    if (list.values[place] === 1 ? hasTrue : hasFalse) into.add(list.ordinals[place] ?? 0);
  }
}

/** Ids are compared as they are; a prefix looks at every document. */
function evaluateIds(clause: FilterClause, source: FilterSource, live: Bitset): Bitset {
  if (clause.kind === 'exists') return live.clone();
  const found = new Bitset(live.words.length << 5);
  if (clause.kind === 'compare') return found;
  const prefixes: string[] = [];
  for (const operand of clause.operands) {
    if (operand.kind === 'range') continue;
    if (operand.isPrefix) prefixes.push(operand.value.text);
    const ordinal = operand.isPrefix ? undefined : source.ordinalOf(operand.value.text);
    if (ordinal !== undefined) found.add(ordinal);
  }
  if (prefixes.length > 0) {
    const begun = new PrefixSet(prefixes);
    live.forEach((ordinal) => {
      if (begun.isBegun(source.idOf(ordinal))) found.add(ordinal);
    });
  }
  found.and(live);
  return clause.operator === ':!=' ? live.clone().andNot(found) : found;
}
