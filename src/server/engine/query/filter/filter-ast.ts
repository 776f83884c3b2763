/** What a filter says, as a tree. Positions are 0-based UTF-16 offsets into its text. */

import type { Point } from '../geo/point.ts';

/** One value as written; what it means depends on the type of the field. */
export interface FilterValue {
  text: string;
  position: number;
}

export type FilterOperand =
  /** `isPrefix`: written with a star at its end. */
  | { kind: 'value'; value: FilterValue; isPrefix: boolean }
  /** Both ends included; null is open, never both. */
  | { kind: 'range'; from: FilterValue | null; to: FilterValue | null };

export type FilterClause =
  | { kind: 'exists'; path: string; position: number }
  /** Any of the operands, at least one; with `:!=` none of them. */
  | {
      kind: 'match';
      path: string;
      position: number;
      operator: ':' | ':=' | ':!=';
      operands: FilterOperand[];
    }
  | {
      kind: 'compare';
      path: string;
      position: number;
      operator: '>' | '>=' | '<' | '<=';
      value: FilterValue;
    }
  | { kind: 'within'; path: string; position: number; area: FilterArea };

export type FilterArea =
  /** Not farther than that from the point. */
  | { kind: 'circle'; center: Point; radius: number; unit: 'km' | 'm' | 'mi' }
  | { kind: 'polygon'; corners: Point[] };

export type FilterNode =
  | FilterClause
  /** Two or more children. */
  | { kind: 'and' | 'or'; children: FilterNode[] }
  | { kind: 'not'; child: FilterNode };

/** Every clause of a filter, in the order of its text. */
export function clausesOf(node: FilterNode): FilterClause[] {
  if ('children' in node) return node.children.flatMap(clausesOf);
  return node.kind === 'not' ? clausesOf(node.child) : [node];
}

const plainPath = /^[\p{L}\p{N}_$@][\p{L}\p{N}_$@./-]*$/u;
const plainValue = /^-?[\p{L}\p{N}_]+(?:[.:+-][\p{L}\p{N}_]+)*$/u;

/** The filter's text in its shortest plain form; parsing it gives the same tree, positions aside. */
export function printFilter(node: FilterNode): string {
  switch (node.kind) {
    case 'and':
      return node.children.map((child) => printInside(child, isCombination(child))).join(' && ');
    case 'or':
      return node.children.map((child) => printInside(child, child.kind === 'or')).join(' || ');
    case 'not':
      return `!${printInside(node.child, isCombination(node.child))}`;
    case 'exists':
      return `${printPath(node.path)}:*`;
    case 'compare':
      return `${printPath(node.path)}:${node.operator}${printValue(node.value)}`;
    case 'match':
      return `${printPath(node.path)}${node.operator}${printOperands(node.operands)}`;
    case 'within':
      return `${printPath(node.path)}:(${printArea(node.area)})`;
  }
}

function printArea(area: FilterArea): string {
  if (area.kind === 'polygon') return area.corners.map(({ lat, lng }) => `${lat}, ${lng}`).join(', ');
  return `${area.center.lat}, ${area.center.lng}, ${area.radius} ${area.unit}`;
}

const isCombination = (node: FilterNode): boolean => node.kind === 'and' || node.kind === 'or';

function printInside(node: FilterNode, needsParentheses: boolean): string {
  return needsParentheses ? `(${printFilter(node)})` : printFilter(node);
}

const printPath = (path: string): string =>
  plainPath.test(path) ? path : `\`${path.replaceAll('`', '``')}\``;

const printValue = ({ text }: FilterValue): string =>
  plainValue.test(text) ? text : `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

function printOperands(operands: FilterOperand[]): string {
  const [first] = operands;
  if (operands.length === 1 && first?.kind === 'value') return printOperand(first);
  return `[${operands.map(printOperand).join(', ')}]`;
}

function printOperand(operand: FilterOperand): string {
  if (operand.kind === 'value') return printValue(operand.value) + (operand.isPrefix ? '*' : '');
  return `${operand.from === null ? '' : printValue(operand.from)}..${operand.to === null ? '' : printValue(operand.to)}`;
}
