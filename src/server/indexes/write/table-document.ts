import { cellBoolean, cellNumber } from '#server/wire/cell-values.ts';
import type { Column, ColumnType, TableRow } from '#server/wire/import-row.ts';
import { parseJson } from '#server/wire/json.ts';
import type { FieldType } from '#shared/collections.ts';
import type { WritableCollection } from '../indexes.ts';

/**
 * The document that a row of a table is: a field for each cell that is not empty, of the type that is declared, else of the column's. A cell
 * that is not of its type stays a text; where a type is declared that is the row's fault.
 */

type ReadCell = (cell: string) => unknown;

const readAs: Record<ColumnType | FieldType, ReadCell> = {
  string: (cell) => cell,
  number: (cell) => cellNumber(cell) ?? cell,
  boolean: (cell) => cellBoolean(cell) ?? cell,
  // Seconds since 1970; fewer digits are a year.
  date: (cell) => (/^\d{9,}$/.test(cell) ? (cellNumber(cell) ?? cell) : cell),
  // As JSON, or two numbers with a comma between them.
  geopoint: (cell) => cellPoint(cell) ?? cell,
  any: (cell) => cellNumber(cell) ?? cellBoolean(cell) ?? cell,
};

function cellPoint(cell: string): unknown {
  const bare = /^\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*$/.exec(cell);
  if (bare) return [Number(bare[1]), Number(bare[2])];
  return /^\s*[[{]/.test(cell) ? parseJson(cell, { path: 'cell' }) : null;
}

/** By the columns of an upload, which are for one collection. */
const readers = new WeakMap<TableRow['columns'], (ReadCell | null)[]>();

/** @throws AppError BAD_REQUEST for an `embedding` that is no JSON */
export function tableDocument(
  collection: WritableCollection,
  { columns, cells }: TableRow,
): Record<string, unknown> {
  const known = readers.get(columns) ?? columns.map((column) => column && readerOf(collection, column));
  readers.set(columns, known);
  const fields: [string, unknown][] = [];
  for (const [place, cell] of cells.entries()) {
    const name = columns[place]?.name;
    const read = known[place];
    if (name !== undefined && read && cell !== '') fields.push([name, read(cell)]);
  }
  return Object.fromEntries(fields);
}

function readerOf({ metadata }: WritableCollection, { name, type }: Column): ReadCell {
  // An id is a text, whatever it looks like.
  if (name === 'id') return readAs.string;
  if (name === 'embedding') return (cell) => parseJson(cell, { path: name });
  const declared = metadata?.fields?.find((field) => field.name === name);
  return readAs[declared?.type ?? type];
}
