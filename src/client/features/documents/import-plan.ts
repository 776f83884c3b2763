import type { DeclaredField, FieldType } from '#shared/collections.ts';
import { type FoundField, proposeId, proposeTitle } from './infer-fields.ts';
import type { UploadContent } from './upload-format.ts';

/** What a column of a table becomes. */
export interface ColumnPlan {
  column: string;
  /** Null: it is left out. */
  field: string | null;
  /** Null: as it is found. */
  type: FieldType | null;
}

/** How a file becomes documents. */
export interface ImportPlan {
  content: UploadContent;
  fields: FoundField[];
  /** Of a table; empty for JSON, whose members are fields. */
  columns: ColumnPlan[];
}

/** What is proposed: the column that tells rows apart is their id, the one that names them their title. */
export function proposeColumns(content: UploadContent, fields: FoundField[]): ColumnPlan[] {
  if (!content.table) return [];
  const id = proposeId(fields);
  const title = proposeTitle(fields);
  const isFree = (name: string) => !fields.some((field) => field.name === name);
  return content.table.columns.map((column) => {
    const field =
      column === id && (column === 'id' || isFree('id'))
        ? 'id'
        : column === title && isFree('title') && isFree('name')
          ? 'title'
          : column || null;
    return { column, field, type: null };
  });
}

/** Why it cannot be sent; null: it can. */
export function faultOfColumns(columns: ColumnPlan[]): string | null {
  const seen = new Set<string>();
  for (const { field, column } of columns) {
    if (field === null) continue;
    if (field.trim() === '')
      return `The column “${column}” needs the name of a field, or has to be left out.`;
    if (seen.has(field)) return `Two columns become the field “${field}”.`;
    seen.add(field);
  }
  if (columns.length > 0 && seen.size === 0) return 'All columns are left out.';
  return null;
}

/** Fields of a new collection whose types were chosen, so that rows that do not fit are refused. */
export function declaredFields(columns: ColumnPlan[]): DeclaredField[] {
  return columns.flatMap(({ field, type }) =>
    field !== null && type !== null && field !== 'id' ? [{ name: field, type, required: false }] : [],
  );
}

/** Columns whose field is another one than their name; null: left out. */
export function mappingOf(columns: ColumnPlan[]): Record<string, string | null> {
  const changed = columns.filter(({ column, field }) => column !== '' && column !== field);
  return Object.fromEntries(changed.map(({ column, field }) => [column, field]));
}
