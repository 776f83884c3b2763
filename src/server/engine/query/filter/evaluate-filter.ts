import { Bitset } from '../../bits/bitset.ts';
import { isPauseDue, type Steps } from '../../steps.ts';
import type { ColumnStore } from '../columns/column-store.ts';
import { entryListsOf } from '../columns/field.ts';
import { areaUnits } from '../geo/add-within.ts';
import { type Evaluation, evaluateClause } from './evaluate-clause.ts';
import { clausesOf, type FilterClause, type FilterNode } from './filter-ast.ts';
import { complementOf, exactly, type FilterScope, type Finding, isExact } from './filter-scope.ts';
import { simplifyFilter } from './simplify-filter.ts';
import { StoredTexts } from './stored-texts.ts';
import { TextCondition } from './text-condition.ts';
import { WholeValues } from './whole-values.ts';
import { WordMatches } from './word-matches.ts';

/**
 * The live documents that a filter lets through, as a new set. Meaning of the operators: `filter-parser.ts` for the grammar, and
 * - `:` on text: all words of the value stand in one value of the field, in any order, analysed as the index does; a value without
 *   words is compared as `:=` does · with a star the last word is a beginning · `:=` the whole value after Unicode normalisation and case folding
 * - a value that reads as a date is compared with a date column as a date, not as text: a day is all its seconds
 * - any element of an array may match; `!=` is the complement, so documents without the field pass
 *
 * Two passes. Columns and the inverted index tell of each condition which documents pass and which may; of `and` the cheapest is asked first
 * and the others about what is left. Only documents that nothing but their texts can decide are read then, each once for all conditions.
 *
 * @throws TooDearError
 */
export function* evaluateFilter(filter: FilterNode, scope: FilterScope): Steps<Bitset> {
  const node = simplifyFilter(filter);
  const conditions = textConditions(node, scope);
  const wholes = new WholeValues(conditions.values(), scope.budget);
  const words = new WordMatches(scope.lexical, conditions.values(), scope.budget);
  const found = yield* evaluate(node, { ...scope, conditions, wholes, words }, scope.live);
  if (!isExact(found)) {
    const paths = [...new Set([...conditions.values()].map(({ field }) => field.path))];
    yield* addRead(found, scope, { paths, conditions: [...conditions.values()] });
  }
  return found.sure;
}

function textConditions(
  node: FilterNode,
  { columns, lexical }: FilterScope,
): Map<FilterClause, TextCondition> {
  const conditions = new Map<FilterClause, TextCondition>();
  for (const clause of clausesOf(node)) {
    const field = clause.path === 'id' ? undefined : columns.field(clause.path);
    if (clause.kind !== 'match' || field === undefined || field.strings === null) continue;
    const condition = new TextCondition(field, clause, lexical.analyzer.words);
    if (condition.asksAnything) conditions.set(clause, condition);
  }
  return conditions;
}

/** Characters of documents that are read between two pauses. */
const charactersAtOnce = 65_536;

/** Passes over the words of a set that a condition takes, about. */
const combinedSets = 8;

/** Of a larger document one condition may take longer than that. */
const largeBytes = 65_536;

function* addRead(
  found: Finding,
  scope: FilterScope,
  { paths, conditions }: { paths: string[]; conditions: TextCondition[] },
): Steps<void> {
  let characters = 0;
  const open = found.possible.clone().andNot(found.sure);
  for (const ordinal of yield* open.ordinals()) {
    const texts = new StoredTexts(ordinal, scope, paths);
    if (scope.documents.sourceBytesOf(ordinal) > largeBytes) {
      for (const condition of conditions)
        if (condition.words.length > 0)
          yield* condition.prepare(yield* texts.read(condition.field), scope.budget);
    }
    if (found.passes(texts)) found.sure.add(ordinal);
    characters += texts.charactersRead;
    if (characters < charactersAtOnce) continue;
    characters = 0;
    yield;
  }
}

/** What is known of the documents within. */
function* evaluate(node: FilterNode, evaluation: Evaluation, within: Bitset): Steps<Finding> {
  switch (node.kind) {
    case 'and':
      return yield* evaluateAnd(cheapestFirst(node.children, evaluation.columns), evaluation, within);
    case 'or':
      return yield* evaluateOr(node.children, evaluation, within);
    case 'not':
      return complementOf(yield* evaluate(node.child, evaluation, within), within);
    default:
      return yield* evaluateClause(node, evaluation, within);
  }
}

function* evaluateAnd(children: FilterNode[], evaluation: Evaluation, within: Bitset): Steps<Finding> {
  let all = exactly(within.clone());
  const open: Finding[] = [];
  for (const child of children) {
    if (all.possible.isEmpty()) break;
    const found = yield* evaluate(child, evaluation, all.possible);
    if (!isExact(found)) {
      open.push(found);
      if (isExact(all)) all = { ...all, possible: all.possible.clone() };
    }
    all.possible.and(found.possible);
    all.sure.and(found.sure);
    if (isPauseDue(combinedSets * within.words.length)) yield;
  }
  // What may pass may pass each of them, so that those that are told without reading hold.
  const passes: Finding['passes'] = (texts) =>
    open.every((found) => found.sure.has(texts.ordinal) || found.passes(texts));
  return { ...all, passes };
}

function* evaluateOr(children: FilterNode[], evaluation: Evaluation, within: Bitset): Steps<Finding> {
  let any = exactly(new Bitset(within.words.length << 5));
  const open: Finding[] = [];
  const rest = within.clone();
  for (const child of children) {
    if (rest.isEmpty()) break;
    const found = yield* evaluate(child, evaluation, rest);
    if (!isExact(found)) {
      open.push(found);
      if (isExact(any)) any = { ...any, possible: any.possible.clone() };
    }
    any.possible.or(found.possible);
    any.sure.or(found.sure);
    rest.andNot(found.sure);
    if (isPauseDue(combinedSets * within.words.length)) yield;
  }
  const passes: Finding['passes'] = (texts) =>
    open.some((found) => found.possible.has(texts.ordinal) && found.passes(texts));
  return { ...any, passes };
}

function cheapestFirst(nodes: FilterNode[], columns: ColumnStore): FilterNode[] {
  const costs = new Map(nodes.map((node) => [node, costOf(node, columns)]));
  return nodes.toSorted((a, b) => (costs.get(a) ?? 0) - (costs.get(b) ?? 0));
}

/** About how many entries are looked at. */
function costOf(node: FilterNode, columns: ColumnStore): number {
  if ('children' in node) return node.children.reduce((sum, child) => sum + costOf(child, columns), 0);
  if (node.kind === 'not') return costOf(node.child, columns);
  if (node.path === 'id') return node.kind === 'match' ? node.operands.length : columns.end;
  const field = columns.field(node.path);
  const entries = field === undefined ? 0 : entryListsOf(field).reduce((sum, list) => sum + list.size, 0);
  if (node.kind === 'within') return entries * areaUnits(node.area);
  return node.kind === 'exists' ? entries + columns.end : entries;
}
