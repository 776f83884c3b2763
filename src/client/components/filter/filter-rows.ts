import { quoted } from '#client/lib/quoted.ts';

export const operators = [
  { value: ':=', label: 'is' },
  { value: ':!=', label: 'is not' },
  { value: ':', label: 'contains' },
  { value: ':>', label: 'more than' },
  { value: ':>=', label: 'at least' },
  { value: ':<', label: 'less than' },
  { value: ':<=', label: 'at most' },
  { value: '..', label: 'between' },
  { value: '*', label: 'is there' },
] as const;

type Operator = (typeof operators)[number]['value'];

/** One condition of a filter whose conditions all have to hold. Of a list `value` has commas, of a span it is `from..to`. */
export interface FilterRow {
  field: string;
  operator: Operator;
  value: string;
}

function isComplete({ field, operator, value }: FilterRow): boolean {
  if (field === '') return false;
  if (operator === '*') return true;
  return operator === '..' ? value.replace('..', '').trim() !== '' : value.trim() !== '';
}

/** Rows that are not complete are left out. */
export function writeRows(rows: FilterRow[]): string {
  return rows.filter(isComplete).map(writeRow).join(' && ');
}

function writeRow({ field, operator, value }: FilterRow): string {
  const path = quoted(field);
  if (operator === '*') return `${path}:*`;
  if (operator === '..') {
    const [from = '', to = ''] = value.split('..').map((end) => end.trim());
    if (to === '') return `${path}:>=${written(from)}`;
    return from === '' ? `${path}:<=${written(to)}` : `${path}:[${written(from)}..${written(to)}]`;
  }
  const isList = operator === ':=' || operator === ':!=' || operator === ':';
  const values = isList
    ? value
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== '')
    : [value.trim()];
  if (values.length <= 1) return `${path}${operator}${written(values[0] ?? value.trim())}`;
  return `${path}${operator}[${values.map(written).join(', ')}]`;
}

/** Signs and decimals of numbers and dates need no quotes. */
function written(value: string): string {
  return /^[-+]?[\d.]+$/.test(value) && !value.includes('..') ? value : quoted(value);
}

const name = String.raw`(?:\`(?:[^\`]|\`\`)+\`|[^\s:()[\],!&|<>="'\`]+)`;
const plain = String.raw`[^\s:()[\],&|<>="'\`!*.](?:[^()[\],&|"'\`:*]*[^\s()[\],&|"'\`:*])?|[-+]?[\d.]+`;
const value = String.raw`(?:\`(?:[^\`]|\`\`)*\`|"[^"\\]*"|'[^'\\]*'|${plain})`;
const clause = new RegExp(
  String.raw`^(${name})\s*:\s*(?:(\*)|(!=|>=|<=|=|>|<)?\s*(?:(${value})|\[\s*(${value})\s*\.\.\s*(${value})\s*\]|\[\s*(${value}(?:\s*,\s*${value})*)\s*\]))$`,
);

/** A filter as rows; null: it says more than rows can. */
export function readRows(text: string): FilterRow[] | null {
  if (text.trim() === '') return [];
  const rows = splitAnd(text).map(readRow);
  return rows.includes(null) ? null : rows.flatMap((row) => row ?? []);
}

/** At each `&&` outside of quotes. */
function splitAnd(text: string): string[] {
  const pieces = text.split(/(`(?:[^`]|``)*`|"[^"]*"|'[^']*'|&&)/);
  const clauses = [''];
  for (const piece of pieces) {
    if (piece === '&&') clauses.push('');
    else clauses[clauses.length - 1] += piece;
  }
  return clauses.map((one) => one.trim());
}

function readRow(text: string): FilterRow | null {
  const match = clause.exec(text);
  if (!match) return null;
  const [, path = '', star, sign = '', single, from, to, list] = match;
  const field = unquoted(path);
  if (star !== undefined) return { field, operator: '*', value: '' };
  if (from !== undefined && to !== undefined) {
    return sign === '' ? { field, operator: '..', value: `${unquoted(from)}..${unquoted(to)}` } : null;
  }
  const operator = operators.find((one) => one.value === `:${sign}`)?.value;
  const values = list === undefined ? [single ?? ''] : (list.match(new RegExp(value, 'g')) ?? []);
  const read = values.map(unquoted);
  // A comma parts values in a row.
  if (!operator || read.some((one) => one.includes(',') || one.trim() === '')) return null;
  return { field, operator, value: read.join(', ') };
}

function unquoted(text: string): string {
  if (text.startsWith('`')) return text.slice(1, -1).replaceAll('``', '`');
  return text.startsWith('"') || text.startsWith("'") ? text.slice(1, -1) : text;
}
