import { type FilterClause, type FilterNode, type FilterOperand, printFilter } from './filter-ast.ts';

type Match = Extract<FilterClause, { kind: 'match' }>;

/**
 * A filter that lets through the same documents and asks nothing twice: equal conditions are one, conditions on one field of which any
 * (or, with `:!=`, each) must hold are one with all their values. Linear in the filter's text for each level of parentheses.
 */
export function simplifyFilter(node: FilterNode): FilterNode {
  if ('children' in node) return simplifyChain(node.kind, node.children);
  if (node.kind === 'not') return simplifyNot(simplifyFilter(node.child));
  return node.kind === 'match' ? { ...node, operands: distinctOperands(node, node.operands) } : node;
}

function simplifyNot(child: FilterNode): FilterNode {
  if (child.kind === 'not') return child.child;
  if (child.kind === 'match' && child.operator !== ':')
    return { ...child, operator: child.operator === ':=' ? ':!=' : ':=' };
  return { kind: 'not', child };
}

function simplifyChain(kind: 'and' | 'or', children: FilterNode[]): FilterNode {
  const simple = children.map(simplifyFilter);
  const flat = simple.flatMap((child) => (child.kind === kind ? child.children : [child]));
  const [first, ...others] = distinct(mergeMatches(kind, flat));
  if (first === undefined) throw new RangeError('a combination has no conditions');
  return others.length === 0 ? first : { kind, children: [first, ...others] };
}

/** `a:1 || a:2` is `a:[1, 2]`; `a:!=1 && a:!=2` is `a:!=[1, 2]`. */
function mergeMatches(kind: 'and' | 'or', children: FilterNode[]): FilterNode[] {
  const merged: FilterNode[] = [];
  const byField = new Map<string, Match[]>();
  for (const child of children) {
    const isMerged = child.kind === 'match' && (child.operator === ':!=') === (kind === 'and');
    if (!isMerged) {
      merged.push(child);
      continue;
    }
    const key = `${child.operator} ${child.path}`;
    const same = byField.get(key);
    if (same === undefined) byField.set(key, [child]);
    else same.push(child);
  }
  for (const matches of byField.values()) {
    const [first] = matches;
    if (first === undefined) continue;
    const operands = distinctOperands(
      first,
      matches.flatMap((match) => match.operands),
    );
    merged.push({ ...first, operands });
  }
  return merged;
}

function distinctOperands(match: Match, operands: FilterOperand[]): FilterOperand[] {
  if (operands.length < 2) return operands;
  const byText = new Map<string, FilterOperand>();
  for (const operand of operands) {
    const text = printFilter({ ...match, operands: [operand] });
    if (!byText.has(text)) byText.set(text, operand);
  }
  return [...byText.values()];
}

/** Without those that say the same as one before. */
function distinct(nodes: FilterNode[]): FilterNode[] {
  if (nodes.length < 2) return nodes;
  const byText = new Map<string, FilterNode>();
  for (const node of nodes) {
    const text = printFilter(node);
    if (!byText.has(text)) byText.set(text, node);
  }
  return [...byText.values()];
}
