import { AppError, badRequest } from '#server/errors.ts';
import { cellBoolean, cellNumber } from '#server/wire/cell-values.ts';
import type { Column, ColumnType, TableReading } from '#server/wire/import-row.ts';
import { hasDecimalCommas } from '#shared/decimal-comma.ts';
import { limits } from '#shared/limits.ts';

/** The fields of a header's columns: null for one that is left out, '' for one without a name. @throws AppError BAD_REQUEST */
export function fieldsOf(header: string[], mapping: TableReading['mapping'] = {}): (string | null)[] {
  const names = header.map((cell) => cell.trim());
  const unknown = Object.keys(mapping).find((name) => !names.includes(name));
  if (unknown !== undefined) throw badRequest('mapping', `the header has no column "${unknown}"`);
  const fields = names.map((name) => (Object.hasOwn(mapping, name) ? (mapping[name] ?? null) : name));
  const seen = new Set<string>();
  for (const field of fields) {
    if (!field) continue;
    // As in JSON. Each row bears the names again.
    if (field.length > limits.jsonKeyCharactersMax) {
      const begun = `${field.slice(0, 32).toWellFormed()}…`;
      throw new AppError(
        'BAD_REQUEST',
        `The field "${begun}" has more than ${limits.jsonKeyCharactersMax} characters`,
      );
    }
    if (seen.has(field)) throw new AppError('BAD_REQUEST', `Two columns become the field "${field}"`);
    seen.add(field);
  }
  if (seen.size === 0) throw new AppError('BAD_REQUEST', 'The header names no field');
  return fields;
}

/** Columns whose cells are of one type in the first rows are read as that; of those that are empty there, each cell for itself. */
export function columnsOf(
  fields: readonly (string | null)[],
  { rows, delimiter }: { rows: readonly (readonly string[])[]; delimiter: string },
): (Column | null)[] {
  return fields.map((name, place) => {
    if (!name) return null;
    const cells = rows.map((row) => row[place] ?? '').filter((cell) => cell !== '');
    return { name, type: typeOf(cells, delimiter) };
  });
}

function typeOf(cells: string[], delimiter: string): ColumnType {
  if (cells.length === 0) return 'any';
  if (cells.every((cell) => cellNumber(cell) !== null)) return 'number';
  if (hasDecimalCommas(cells, { delimiter })) return 'decimal comma';
  return cells.every((cell) => cellBoolean(cell) !== null) ? 'boolean' : 'string';
}
