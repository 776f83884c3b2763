import { badRequest } from '#server/errors.ts';
import { cellBoolean, cellNumber } from '#server/wire/cell-values.ts';
import type { Column, ColumnType, TableRow } from '#server/wire/import-row.ts';
import { parseJson } from '#server/wire/json.ts';
import type { FieldType } from '#shared/collections.ts';
import { readDecimalComma } from '#shared/decimal-comma.ts';
import type { WritableCollection } from '../indexes.ts';

/**
 * The document that a row of a table is: a field for each cell that is not empty, of the type that is declared, else of the column's. A cell
 * that is not of its type stays a text; where a type is declared that is the row's fault. Columns `at.lat` and `at.lng` are a point `at` where
 * that is declared and has no column.
 */

type ReadCell = (cell: string) => unknown;

const readAs: Record<ColumnType | Exclude<FieldType, 'geopoint'>, ReadCell> = {
  string: (cell) => cell,
  number: (cell) => cellNumber(cell) ?? cell,
  'decimal comma': (cell) => readDecimalComma(cell) ?? cell,
  boolean: (cell) => cellBoolean(cell) ?? cell,
  // Seconds since 1970; fewer digits are a year.
  date: (cell) => (/^\d{9,}$/.test(cell) ? (cellNumber(cell) ?? cell) : cell),
  any: (cell) => cellNumber(cell) ?? cellBoolean(cell) ?? cell,
};

interface Reader {
  field: string;
  read: ReadCell;
  /** What of a point the cell is; absent: it is the whole value. */
  part?: 'lat' | 'lng';
}

/** By the columns of an upload, which are for one collection. */
const readers = new WeakMap<TableRow['columns'], (Reader | null)[]>();

/** @throws AppError BAD_REQUEST for an `embedding` or a point that is no JSON */
export function tableDocument(
  collection: WritableCollection,
  { columns, cells }: TableRow,
): Record<string, unknown> {
  const known =
    readers.get(columns) ?? columns.map((column) => column && readerOf(collection, column, columns));
  readers.set(columns, known);
  const fields = new Map<string, unknown>();
  for (const [place, cell] of cells.entries()) {
    const reader = known[place];
    if (!reader || cell === '') continue;
    const { field, read, part } = reader;
    const value = read(cell);
    fields.set(field, part === undefined ? value : { ...(fields.get(field) ?? {}), [part]: value });
  }
  return Object.fromEntries(fields);
}

function readerOf(
  { metadata, dimension }: WritableCollection,
  { name, type }: Column,
  columns: TableRow['columns'],
): Reader {
  // An id is a text, whatever it looks like.
  if (name === 'id') return { field: name, read: readAs.string };
  if (name === 'embedding') return { field: name, read: (cell) => readVector(cell, name, dimension) };
  const typeOf = (path: string) => metadata?.fields?.find((field) => field.name === path)?.type;
  const declared = typeOf(name);
  if (declared === 'geopoint') return { field: name, read: (cell) => readPoint(cell, name) };
  const [, point, part] = /^(.+)\.(lat|lng)$/.exec(name) ?? [];
  const isPart = declared === undefined && point !== undefined && typeOf(point) === 'geopoint';
  if (isPart && !columns.some((column) => column?.name === point))
    return { field: point, read: readAs.number, part: part === 'lat' ? 'lat' : 'lng' };
  const isNumber = declared === undefined || declared === 'number';
  // How its numbers are written is told by the column alone.
  if (isNumber && type === 'decimal comma') return { field: name, read: readAs[type] };
  return { field: name, read: readAs[declared ?? type] };
}

/** Cells are parsed without a pause. A number is never so long, nor is a list of points of any use. */
const numberCharactersMax = 64;
const pointsCharactersMax = 64 * 1024;

/** As JSON. */
function readVector(cell: string, path: string, dimension: number): unknown {
  if (cell.length > (dimension + 1) * numberCharactersMax)
    throw badRequest(path, `must be an array of ${dimension} numbers`);
  return parseJson(cell, { path });
}

/** As JSON, or two numbers with a comma between them. */
function readPoint(cell: string, path: string): unknown {
  if (cell.length > pointsCharactersMax) return cell;
  if (/^\s*[[{]/.test(cell)) return parseJson(cell, { path });
  const numbers = cell.split(',').map((part) => cellNumber(part.trim()));
  return numbers.includes(null) ? cell : numbers;
}
