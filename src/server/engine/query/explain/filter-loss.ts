/**
 * Which conditions of a filter a document fails, and the filter with as little changed as lets it pass: a circle that is as wide as needed, or
 * narrow where the document must not lie in it; else without the condition.
 */
import { Bitset } from '../../bits/bitset.ts';
import { isPauseDue, type Steps } from '../../steps.ts';
import { evaluateFilter } from '../filter/evaluate-filter.ts';
import { clausesOf, type FilterNode, printFilter } from '../filter/filter-ast.ts';
import type { FilterScope } from '../filter/filter-scope.ts';
import { fittedCircle } from '../geo/fitted-circle.ts';

export interface FilterLoss {
  /** What it fails, in the order of the filter's text, and where it begins there. */
  clauses: { text: string; position: number }[];
  /** A filter that it passes; null: none is left. */
  passed: string | null;
}

type LossScope = Omit<FilterScope, 'live'>;

/** To evaluate a condition for one document. */
const conditionUnits = 256;

/** Null: it passes. Each condition is evaluated for this document alone. @throws TooDearError */
export function* filterLoss(
  filter: FilterNode | null,
  scope: LossScope,
  ordinal: number,
): Steps<FilterLoss | null> {
  if (filter === null) return null;
  const live = new Bitset(ordinal + 1);
  live.add(ordinal);
  const one = { ...scope, live };
  if (yield* passes(filter, one, ordinal)) return null;
  const { kept, dropped } = yield* relaxed(filter, one, ordinal);
  const clauses = dropped.map((node) => ({ text: printFilter(node), position: positionOf(node) }));
  return {
    clauses: clauses.sort((a, b) => a.position - b.position),
    passed: kept === null ? null : printFilter(kept),
  };
}

function* passes(node: FilterNode, scope: FilterScope, ordinal: number): Steps<boolean> {
  const passing = yield* evaluateFilter(node, scope);
  if (isPauseDue(conditionUnits)) yield;
  return passing.has(ordinal);
}

interface Relaxed {
  /** Null: nothing is left, which all pass. */
  kept: FilterNode | null;
  /** Nodes that are not kept as they were. */
  dropped: FilterNode[];
}

/** Of a node that the document fails. */
function* relaxed(node: FilterNode, scope: FilterScope, ordinal: number): Steps<Relaxed> {
  if (node.kind === 'and') return yield* relaxedAnd(node.children, scope, ordinal);
  const whole: Relaxed = { kept: yield* fitted(node, scope, ordinal), dropped: [node] };
  if (node.kind !== 'or') return whole;
  // One of the alternatives may need less than all of them at once.
  let [best, least] = [whole, clausesOf(node).length];
  for (const [place, child] of node.children.entries()) {
    const { kept, dropped } = yield* relaxed(child, scope, ordinal);
    const count = dropped.flatMap(clausesOf).length;
    if (kept === null || count >= least) continue;
    best = { kept: { ...node, children: node.children.with(place, kept) }, dropped };
    least = count;
  }
  return best;
}

function* relaxedAnd(children: FilterNode[], scope: FilterScope, ordinal: number): Steps<Relaxed> {
  const kept: FilterNode[] = [];
  const dropped: FilterNode[] = [];
  for (const child of children) {
    if (yield* passes(child, scope, ordinal)) {
      kept.push(child);
      continue;
    }
    const rest = yield* relaxed(child, scope, ordinal);
    if (rest.kept !== null) kept.push(rest.kept);
    dropped.push(...rest.dropped);
  }
  const [only, ...others] = kept;
  if (only === undefined) return { kept: null, dropped };
  return { kept: others.length === 0 ? only : { kind: 'and', children: kept }, dropped };
}

/** A circle that the document passes. Null: the node is none. */
function* fitted(node: FilterNode, { columns }: FilterScope, ordinal: number): Steps<FilterNode | null> {
  if (node.kind === 'within') return yield* fittedCircle(node, columns, { ordinal, isOutside: false });
  if (node.kind !== 'not' || node.child.kind !== 'within') return null;
  const child = yield* fittedCircle(node.child, columns, { ordinal, isOutside: true });
  return child && { kind: 'not', child };
}

function positionOf(node: FilterNode): number {
  return Math.min(...clausesOf(node).map(({ position }) => position));
}
