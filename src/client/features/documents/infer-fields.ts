import type { FieldType } from '#shared/collections.ts';
import { hasDecimalCommas } from '#shared/decimal-comma.ts';
import type { Row, UploadContent } from './upload-format.ts';

/** What the first rows say of a field, or of a table's column. */
export interface FoundField {
  name: string;
  type: FieldType | 'list' | 'object' | 'empty';
  /** Rows that have a value. */
  filled: number;
  /** Different values among them. */
  distinct: number;
  /** Of its texts. */
  charactersMean: number;
}

const dateShape = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?$/;
/** As the server reads the cells of a table. */
const numberShape = /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;
const booleanShape = /^(?:true|false)$/i;

export function inferFields({ format, rows, table }: UploadContent): FoundField[] {
  const names = table?.columns ?? [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return names.map((name) => inferField(name, rows, format === 'table' ? (table?.delimiter ?? null) : null));
}

/** `delimiter`: of the table that the rows are of; null: they are documents. */
function inferField(name: string, rows: Row[], delimiter: string | null): FoundField {
  const values = rows
    .map((row) => row[name])
    .filter((value) => value !== undefined && value !== null && value !== '');
  const texts = values.filter((value) => typeof value === 'string');
  return {
    name,
    type: commonType(values, delimiter),
    filled: values.length,
    distinct: new Set(values.map((value) => JSON.stringify(value))).size,
    charactersMean: texts.reduce((sum, text) => sum + text.length, 0) / Math.max(1, texts.length),
  };
}

function commonType(values: unknown[], delimiter: string | null): FoundField['type'] {
  if (delimiter !== null && hasDecimalCommas(values.map(String), { delimiter })) return 'number';
  const types = new Set(values.map((value) => typeOf(value, delimiter !== null)));
  const [only] = types;
  if (only === undefined) return 'empty';
  return types.size === 1 ? only : 'string';
}

function typeOf(value: unknown, isTable: boolean): Exclude<FoundField['type'], 'empty'> {
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'object') return 'object';
  const text = String(value);
  if (isTable && numberShape.test(text)) return 'number';
  if (isTable && booleanShape.test(text)) return 'boolean';
  return dateShape.test(text) ? 'date' : 'string';
}

const titleNames = [
  'title',
  'name',
  'headline',
  'subject',
  'label',
  'titel',
  'titre',
  'titulo',
  'nombre',
  'nom',
];
const titleCharactersMax = 120;

/** The field that people would call a document by; null: none looks like it. */
export function proposeTitle(fields: FoundField[]): string | null {
  const texts = fields.filter(
    ({ type, charactersMean }) => type === 'string' && charactersMean <= titleCharactersMax,
  );
  for (const name of titleNames) {
    const exact = texts.find((field) => field.name.toLowerCase() === name);
    if (exact) return exact.name;
  }
  const alike = texts.find(({ name }) => /title|name/i.test(name) && !/user|file|brand/i.test(name));
  return alike?.name ?? null;
}

/** The field that tells documents apart; null: they get an id each. */
export function proposeId(fields: FoundField[]): string | null {
  const ids = fields.filter(({ filled, distinct }) => filled > 0 && distinct === filled);
  const exact = ids.find(({ name }) => name === 'id');
  return (exact ?? ids.find(({ name }) => isIdName(name)))?.name ?? null;
}

function isIdName(name: string): boolean {
  return /^(?:_?id|uuid|guid|key|sku|ean|isbn)$/i.test(name);
}

const facetCharactersMax = 48;

/** Fields whose values are worth ticking, or that make a range. */
export function proposeFacets(fields: FoundField[], title: string | null): string[] {
  return fields
    .filter(({ name, type, filled, distinct, charactersMean }) => {
      if (name === title || isIdName(name) || filled < 2) return false;
      if (type === 'boolean' || type === 'number' || type === 'date') return true;
      if (type === 'list') return true;
      return type === 'string' && charactersMean <= facetCharactersMax && distinct <= filled / 2;
    })
    .map(({ name }) => name)
    .slice(0, 12);
}

/** A collection's name, made of a file's: `My films (2).csv.gz` → `my-films-2`. */
export function proposeName(fileName: string): string {
  const bare = fileName.replace(/(?:\.(?:json|ndjson|jsonl|csv|tsv|txt|gz))+$/i, '');
  const name = bare
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '');
  return name.slice(0, 60) || 'documents';
}
