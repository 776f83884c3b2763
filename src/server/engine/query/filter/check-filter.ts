import type { Diagnostic, FieldType } from '../../types.ts';
import type { ColumnStore } from '../columns/column-store.ts';
import { unknownField } from '../names/unknown-field.ts';
import {
  clausesOf,
  type FilterClause,
  type FilterNode,
  type FilterOperand,
  type FilterValue,
} from './filter-ast.ts';
import { asBoolean, asDateSpan, asNumber } from './filter-value.ts';

/**
 * Whether a filter makes sense for these columns: fields that exist, values of their types. A collection without documents knows only
 * its declared fields: there an unknown field is no fault.
 */
export function checkFilter(node: FilterNode, columns: ColumnStore): Diagnostic[] {
  return clausesOf(node).flatMap((clause) => {
    if (clause.path === 'id') return checkId(clause);
    const types = columns.typesOf(clause.path);
    if (types.length > 0) return checkClause(clause, types);
    if (columns.isEmpty) return [];
    const isObject = columns.fieldsBelow(clause.path).some((field) => field.documentCount > 0);
    if (isObject && clause.kind === 'exists') return [];
    if (isObject && clause.kind === 'within') return [noPoint(clause, 'an object')];
    return [{ position: clause.position, message: unknownField(clause.path, columns) }];
  });
}

function checkId(clause: FilterClause): Diagnostic[] {
  if (clause.kind === 'compare' || clause.kind === 'within')
    return [{ position: clause.position, message: 'expected : or := after "id", and ids' }];
  if (clause.kind === 'exists') return [];
  const range = clause.operands.find((operand) => operand.kind === 'range');
  return range === undefined ? [] : [{ position: clause.position, message: 'expected ids, not a range' }];
}

function checkClause(clause: FilterClause, types: FieldType[]): Diagnostic[] {
  if (clause.kind === 'exists') return [];
  const isPoint = types.includes('geopoint');
  if (clause.kind === 'within') return isPoint ? [] : [noPoint(clause, `a ${types.join(' or ')}`)];
  if (isPoint) {
    const message = `expected a point and a distance for "${clause.path}": (48.2, 16.37, 5 km)`;
    return [{ position: clause.position, message }];
  }
  if (clause.kind === 'compare') return checkOrdered(clause.value, clause.path, types);
  return clause.operands.flatMap((operand) => checkOperand(operand, clause.path, types));
}

function noPoint({ path, position }: FilterClause, found: string): Diagnostic {
  return { position, message: `expected a field that is declared as a geopoint: "${path}" is ${found}` };
}

function checkOperand(operand: FilterOperand, path: string, types: FieldType[]): Diagnostic[] {
  if (operand.kind === 'range') {
    return [operand.from, operand.to].flatMap((end) => (end === null ? [] : checkOrdered(end, path, types)));
  }
  const { value, isPrefix } = operand;
  if (types.includes('string')) return [];
  if (isPrefix)
    return [{ position: value.position, message: `expected ${wanted(path, types)}, not a prefix` }];
  return types.some((type) => fits(value.text, type)) ? [] : [mismatch(value, path, types)];
}

/** Comparisons and ranges need an order that people agree on: numbers and dates. */
function checkOrdered(value: FilterValue, path: string, types: FieldType[]): Diagnostic[] {
  const ordered = types.filter((type) => type === 'number' || type === 'date');
  if (ordered.length === 0) {
    const message = `expected a number or date field for a comparison: "${path}" is a ${types.join(' or ')}`;
    return [{ position: value.position, message }];
  }
  return ordered.some((type) => fits(value.text, type)) ? [] : [mismatch(value, path, ordered)];
}

function fits(text: string, type: FieldType): boolean {
  switch (type) {
    case 'number':
      return asNumber(text) !== null;
    case 'boolean':
      return asBoolean(text) !== null;
    case 'date':
      return asDateSpan(text) !== null;
    case 'string':
      return true;
    case 'geopoint':
      return false;
  }
}

function mismatch(value: FilterValue, path: string, types: FieldType[]): Diagnostic {
  return { position: value.position, message: `expected ${wanted(path, types)}` };
}

const words: Record<FieldType, string> = {
  number: 'a number',
  boolean: 'true or false',
  date: 'a date (ISO 8601 or Unix seconds)',
  string: 'text',
  geopoint: 'a point and a distance',
};

const wanted = (path: string, types: FieldType[]): string =>
  `${types.map((type) => words[type]).join(' or ')} for "${path}"`;
